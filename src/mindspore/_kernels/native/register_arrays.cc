// The kernels on arrays as XLA finds them: custom calls by name.
#include "operands.h"

namespace mycelium {
namespace {

using Floats = ffi::Buffer<ffi::F32>;
using Integers = ffi::Buffer<ffi::S32>;
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
