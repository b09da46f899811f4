// The kernels on arrays as XLA finds them: custom calls by name.
#include "operands.h"
#include "random_bits.h"
#include "turned.h"

namespace mycelium {
namespace {

using Floats = ffi::Buffer<ffi::F32>;
using Integers = ffi::Buffer<ffi::S32>;
using Words = ffi::Buffer<ffi::U32>;
using Numbers = ffi::Span<const int64_t>;

// Calls work with a number of the dtype that x has, where there is a kernel for it.
template <class Work>
void with_number(const char* name, ffi::DataType dtype, Work work) {
  if (dtype == ffi::F32) return work(float{});
  if (dtype == ffi::F64) return work(double{});
  if (dtype == ffi::S32) return work(int32_t{});
  demand_dtype(name, dtype, ffi::S64);
  work(int64_t{});
}

ffi::Error sort(ffi::ThreadPool pool, ffi::AnyBuffer x, Numbers descending, ffi::Result<ffi::AnyBuffer> values, ffi::Result<Integers> places) {
  return guarded("mycelium_sort", [&] {
    const Rows rows = rows_of(x.dimensions());
    demand_same("values", values->dimensions(), x.dimensions()), demand_same("places", places->dimensions(), x.dimensions());
    demand_dtype("values", values->element_type(), x.element_type());
    with_number("x", x.element_type(), [&](auto number) {
      using Number = decltype(number);
      sort_rows(rows.count, rows.length, flag_of("descending", descending), x.typed_data<Number>(), values->typed_data<Number>(),
                places->typed_data(), Threads(&pool));
    });
  });
}

ffi::Error top(ffi::ThreadPool pool, ffi::AnyBuffer x, Numbers largest, ffi::Result<ffi::AnyBuffer> values, ffi::Result<Integers> places) {
  return guarded("mycelium_top", [&] {
    const Rows rows = rows_of(x.dimensions());
    demand_rank("values", values->dimensions(), 2), demand_same("places", places->dimensions(), values->dimensions());
    const int64_t count = values->dimensions()[1];
    demand_between("number of elements wanted", count, 1, rows.length);
    demand_shape("values", values->dimensions(), {rows.count, count});
    demand_dtype("values", values->element_type(), x.element_type());
    with_number("x", x.element_type(), [&](auto number) {
      using Number = decltype(number);
      top_of_rows(rows.count, rows.length, count, flag_of("largest", largest), x.typed_data<Number>(), values->typed_data<Number>(),
                  places->typed_data(), Threads(&pool));
    });
  });
}

ffi::Error take(ffi::ThreadPool pool, ffi::AnyBuffer x, ffi::AnyBuffer places, Numbers wraps, ffi::Result<ffi::AnyBuffer> y) {
  return guarded("mycelium_take_along", [&] {
    const AlongAxis shape = along_axis_of("x", x.dimensions());
    const int64_t count = places_along(shape, "places", places.dimensions()), bytes = bytes_of("x", x.element_type());
    demand_same("y", y->dimensions(), places.dimensions());
    demand_dtype("y", y->element_type(), x.element_type());
    const bool from_end = flag_of("wraps", wraps);
    with_index("places", places.element_type(), [&](auto index) {
      using Index = decltype(index);
      take_along(shape, count, bytes, from_end, x.untyped_data(), places.typed_data<Index>(), y->untyped_data(), Threads(&pool));
    });
  });
}

ffi::Error add(ffi::ThreadPool pool, Floats y, ffi::AnyBuffer places, Numbers wraps, ffi::Result<Floats> x) {
  return guarded("mycelium_add_along", [&] {
    const AlongAxis shape = along_axis_of("x", x->dimensions());
    const int64_t count = places_along(shape, "places", places.dimensions());
    demand_same("y", y.dimensions(), places.dimensions());
    const bool from_end = flag_of("wraps", wraps);
    with_index("places", places.element_type(), [&](auto index) {
      using Index = decltype(index);
      add_along(shape, count, from_end, y.typed_data(), places.typed_data<Index>(), x->typed_data(), Threads(&pool));
    });
  });
}

ffi::Error sums(ffi::ThreadPool pool, ffi::AnyBuffer x, Numbers backward, ffi::Result<ffi::AnyBuffer> y) {
  return guarded("mycelium_running_sum", [&] {
    const AlongAxis shape = along_axis_of("x", x.dimensions());
    demand_same("y", y->dimensions(), x.dimensions());
    demand_dtype("y", y->element_type(), x.element_type());
    with_number("x", x.element_type(), [&](auto number) {
      using Number = decltype(number);
      running_sum(shape, flag_of("backward", backward), x.typed_data<Number>(), y->typed_data<Number>(), Threads(&pool));
    });
  });
}

ffi::Error turned(ffi::ThreadPool pool, ffi::AnyBuffer x, ffi::Result<ffi::AnyBuffer> y) {
  return guarded("mycelium_turn", [&] {
    demand_rank("x", x.dimensions(), 3);
    const int64_t batch = x.dimensions()[0], rows = x.dimensions()[1], columns = x.dimensions()[2];
    demand_shape("y", y->dimensions(), {batch, columns, rows});
    demand_dtype("y", y->element_type(), x.element_type());
    turn_matrices(batch, rows, columns, bytes_of("x", x.element_type()), x.untyped_data(), y->untyped_data(), Threads(&pool));
  });
}

Key key_of(const uint32_t* words) { return {words[0], words[1]}; }

ffi::Error bits(ffi::ThreadPool pool, Words key, ffi::Result<ffi::AnyBuffer> numbers) {
  return guarded("mycelium_random_bits", [&] {
    demand_shape("key", key.dimensions(), {2}), demand_rank("numbers", numbers->dimensions(), 1);
    const int64_t count = numbers->dimensions()[0];
    if (numbers->element_type() == ffi::U32)
      return random_bits(key_of(key.typed_data()), count, numbers->typed_data<uint32_t>(), Threads(&pool));
    demand_dtype("numbers", numbers->element_type(), ffi::U64);
    random_bits(key_of(key.typed_data()), count, numbers->typed_data<uint64_t>(), Threads(&pool));
  });
}

ffi::Error integers(ffi::ThreadPool pool, Words key, ffi::Buffer<ffi::S64> low, ffi::Buffer<ffi::U64> span, ffi::Result<ffi::AnyBuffer> numbers) {
  return guarded("mycelium_random_integers", [&] {
    demand_shape("key", key.dimensions(), {2}), demand_rank("numbers", numbers->dimensions(), 1);
    demand_rank("low", low.dimensions(), 0), demand_rank("span", span.dimensions(), 0);
    const int64_t count = numbers->dimensions()[0], start = *low.typed_data();
    const uint64_t width = *span.typed_data();
    if (numbers->element_type() == ffi::S32)
      return random_integers(key_of(key.typed_data()), start, width, count, numbers->typed_data<int32_t>(), Threads(&pool));
    demand_dtype("numbers", numbers->element_type(), ffi::S64);
    random_integers(key_of(key.typed_data()), start, width, count, numbers->typed_data<int64_t>(), Threads(&pool));
  });
}

auto with_pool() { return ffi::Ffi::Bind().Ctx<ffi::ThreadPool>(); }

}  // namespace
}  // namespace mycelium

XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_sort, mycelium::sort,
                              mycelium::with_pool().Arg<mycelium::ffi::AnyBuffer>().Attr<mycelium::Numbers>("descending").Ret<mycelium::ffi::AnyBuffer>().Ret<mycelium::Integers>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_top, mycelium::top,
                              mycelium::with_pool().Arg<mycelium::ffi::AnyBuffer>().Attr<mycelium::Numbers>("largest").Ret<mycelium::ffi::AnyBuffer>().Ret<mycelium::Integers>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_take_along, mycelium::take,
                              mycelium::with_pool().Arg<mycelium::ffi::AnyBuffer>().Arg<mycelium::ffi::AnyBuffer>().Attr<mycelium::Numbers>("wraps").Ret<mycelium::ffi::AnyBuffer>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_add_along, mycelium::add,
                              mycelium::with_pool().Arg<mycelium::Floats>().Arg<mycelium::ffi::AnyBuffer>().Attr<mycelium::Numbers>("wraps").Ret<mycelium::Floats>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_running_sum, mycelium::sums,
                              mycelium::with_pool().Arg<mycelium::ffi::AnyBuffer>().Attr<mycelium::Numbers>("backward").Ret<mycelium::ffi::AnyBuffer>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_random_bits, mycelium::bits,
                              mycelium::with_pool().Arg<mycelium::Words>().Ret<mycelium::ffi::AnyBuffer>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_random_integers, mycelium::integers,
                              mycelium::with_pool().Arg<mycelium::Words>().Arg<mycelium::ffi::Buffer<mycelium::ffi::S64>>().Arg<mycelium::ffi::Buffer<mycelium::ffi::U64>>().Ret<mycelium::ffi::AnyBuffer>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_turn, mycelium::turned,
                              mycelium::with_pool().Arg<mycelium::ffi::AnyBuffer>().Ret<mycelium::ffi::AnyBuffer>());
