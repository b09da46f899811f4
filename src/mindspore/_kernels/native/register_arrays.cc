// The kernels on arrays as XLA finds them: custom calls by name.
#include <limits>

#include "operands.h"
#include "random_bits.h"

namespace mycelium {
namespace {

using Floats = ffi::Buffer<ffi::F32>;
using Integers = ffi::Buffer<ffi::S32>;
using Words = ffi::Buffer<ffi::U32>;
using Numbers = ffi::Span<const int64_t>;

template <class Buffer>
ffi::Error sort(ffi::ThreadPool pool, Buffer x, Numbers descending, ffi::Result<Buffer> values, ffi::Result<Integers> places) {
  return guarded(std::is_same_v<Buffer, Floats> ? "mycelium_sort" : "mycelium_sort_integers", [&] {
    const Rows rows = rows_of(x.dimensions());
    demand_same("values", values->dimensions(), x.dimensions()), demand_same("places", places->dimensions(), x.dimensions());
    sort_rows(rows.count, rows.length, flag_of("descending", descending), x.typed_data(), values->typed_data(), places->typed_data(),
              Threads(&pool));
  });
}

ffi::Error top(ffi::ThreadPool pool, Floats x, Numbers largest, ffi::Result<Floats> values, ffi::Result<Integers> places) {
  return guarded("mycelium_top", [&] {
    const Rows rows = rows_of(x.dimensions());
    demand_rank("values", values->dimensions(), 2), demand_same("places", places->dimensions(), values->dimensions());
    const int64_t count = values->dimensions()[1];
    demand_between("number of elements wanted", count, 1, rows.length);
    demand_shape("values", values->dimensions(), {rows.count, count});
    top_of_rows(rows.count, rows.length, count, flag_of("largest", largest), x.typed_data(), values->typed_data(), places->typed_data(),
                Threads(&pool));
  });
}

ffi::Error take(ffi::ThreadPool pool, Floats x, Integers places, ffi::Result<Floats> y) {
  return guarded("mycelium_take_along", [&] {
    const AlongAxis shape = along_axis_of("x", x.dimensions());
    const int64_t count = places_along(shape, "places", places.dimensions());
    demand_same("y", y->dimensions(), places.dimensions());
    take_along(shape, count, x.typed_data(), places.typed_data(), y->typed_data(), Threads(&pool));
  });
}

ffi::Error add(ffi::ThreadPool pool, Floats y, Integers places, ffi::Result<Floats> x) {
  return guarded("mycelium_add_along", [&] {
    const AlongAxis shape = along_axis_of("x", x->dimensions());
    const int64_t count = places_along(shape, "places", places.dimensions());
    demand_same("y", y.dimensions(), places.dimensions());
    add_along(shape, count, y.typed_data(), places.typed_data(), x->typed_data(), Threads(&pool));
  });
}

ffi::Error sums(ffi::ThreadPool pool, Floats x, Numbers backward, ffi::Result<Floats> y) {
  return guarded("mycelium_running_sum", [&] {
    const AlongAxis shape = along_axis_of("x", x.dimensions());
    demand_same("y", y->dimensions(), x.dimensions());
    running_sum(shape, flag_of("backward", backward), x.typed_data(), y->typed_data(), Threads(&pool));
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

ffi::Error integers(ffi::ThreadPool pool, Words key, Numbers range, ffi::Result<ffi::AnyBuffer> numbers) {
  return guarded("mycelium_random_integers", [&] {
    demand_shape("key", key.dimensions(), {2}), demand_rank("numbers", numbers->dimensions(), 1);
    demand_count("range", range, 2), demand_between("span", range[1], 1, kWidestSpan);
    const int64_t count = numbers->dimensions()[0];
    if (numbers->element_type() == ffi::S32) {
      demand_between("low", range[0], std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max() - range[1] + 1);
      return random_integers(key_of(key.typed_data()), range[0], range[1], count, numbers->typed_data<int32_t>(), Threads(&pool));
    }
    demand_dtype("numbers", numbers->element_type(), ffi::S64);
    demand_between("low", range[0], std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max() - range[1] + 1);
    random_integers(key_of(key.typed_data()), range[0], range[1], count, numbers->typed_data<int64_t>(), Threads(&pool));
  });
}

auto with_pool() { return ffi::Ffi::Bind().Ctx<ffi::ThreadPool>(); }

}  // namespace
}  // namespace mycelium

XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_sort, mycelium::sort<mycelium::Floats>,
                              mycelium::with_pool().Arg<mycelium::Floats>().Attr<mycelium::Numbers>("descending").Ret<mycelium::Floats>().Ret<mycelium::Integers>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_sort_integers, mycelium::sort<mycelium::Integers>,
                              mycelium::with_pool().Arg<mycelium::Integers>().Attr<mycelium::Numbers>("descending").Ret<mycelium::Integers>().Ret<mycelium::Integers>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_top, mycelium::top,
                              mycelium::with_pool().Arg<mycelium::Floats>().Attr<mycelium::Numbers>("largest").Ret<mycelium::Floats>().Ret<mycelium::Integers>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_take_along, mycelium::take,
                              mycelium::with_pool().Arg<mycelium::Floats>().Arg<mycelium::Integers>().Ret<mycelium::Floats>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_add_along, mycelium::add,
                              mycelium::with_pool().Arg<mycelium::Floats>().Arg<mycelium::Integers>().Ret<mycelium::Floats>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_running_sum, mycelium::sums,
                              mycelium::with_pool().Arg<mycelium::Floats>().Attr<mycelium::Numbers>("backward").Ret<mycelium::Floats>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_random_bits, mycelium::bits,
                              mycelium::with_pool().Arg<mycelium::Words>().Ret<mycelium::ffi::AnyBuffer>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_random_integers, mycelium::integers,
                              mycelium::with_pool().Arg<mycelium::Words>().Attr<mycelium::Numbers>("range").Ret<mycelium::ffi::AnyBuffer>());
