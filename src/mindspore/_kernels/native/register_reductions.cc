// Reductions, running values, windows and distances as XLA finds them: custom calls by name.
#include "distances.h"
#include "drawing.h"
#include "folded.h"
#include "integer_product.h"
#include "largest.h"
#include "operands.h"
#include "reductions.h"
#include "remainders.h"
#include "waves.h"

namespace mycelium {
namespace {

using Floats = ffi::Buffer<ffi::F32>;
using Integers = ffi::Buffer<ffi::S32>;
using Numbers = ffi::Span<const int64_t>;
using Any = ffi::AnyBuffer;

ffi::Error total(ffi::ThreadPool pool, Any x, ffi::Result<Any> y) {
  return guarded("mycelium_sum", [&] {
    const AlongAxis shape = reduced_axis_of(x.dimensions(), y->dimensions());
    const Threads threads(&pool);
    const ffi::DataType from = x.element_type(), to = y->element_type();
    const bool half = from == ffi::F16 || from == ffi::BF16;
    const Half kind = from == ffi::F16 ? Half::kFloat16 : Half::kBfloat16;
    if (half && to == ffi::F32)
      return sum_along(shape, kind, static_cast<const uint16_t*>(x.untyped_data()), y->typed_data<float>(), threads);
    demand_dtype("y", to, half || from == ffi::F64 ? from : ffi::S64);
    if (half)
      return sum_along(shape, kind, static_cast<const uint16_t*>(x.untyped_data()),
                       static_cast<uint16_t*>(y->untyped_data()), threads);
    if (from == ffi::F64) return sum_along(shape, x.typed_data<double>(), y->typed_data<double>(), threads);
    int64_t* const sums = y->typed_data<int64_t>();
    if (from == ffi::S32) return sum_along(shape, x.typed_data<int32_t>(), sums, threads);
    if (from == ffi::S64) return sum_along(shape, x.typed_data<int64_t>(), sums, threads);
    demand_dtype("x", from, ffi::PRED);
    sum_along(shape, static_cast<const uint8_t*>(x.untyped_data()), sums, threads);
  });
}

template <class Number>
void running_extreme_of(const AlongAxis& shape, bool largest, Any x, ffi::Result<Any> y, int32_t* places, const Threads& threads) {
  running_extreme(shape, largest, x.typed_data<Number>(), y->typed_data<Number>(), places, threads);
}

ffi::Error extreme(ffi::ThreadPool pool, Any x, Numbers largest, ffi::Result<Any> y, ffi::Result<Integers> places) {
  return guarded("mycelium_running_extreme", [&] {
    const AlongAxis shape = along_axis_of("x", x.dimensions());
    demand_same("y", y->dimensions(), x.dimensions()), demand_same("places", places->dimensions(), x.dimensions());
    demand_dtype("y", y->element_type(), x.element_type());
    const bool most = flag_of("largest", largest);
    const Threads threads(&pool);
    if (x.element_type() == ffi::F32) return running_extreme_of<float>(shape, most, x, y, places->typed_data(), threads);
    if (x.element_type() == ffi::F64) return running_extreme_of<double>(shape, most, x, y, places->typed_data(), threads);
    if (x.element_type() == ffi::S32) return running_extreme_of<int32_t>(shape, most, x, y, places->typed_data(), threads);
    demand_dtype("x", x.element_type(), ffi::S64);
    running_extreme_of<int64_t>(shape, most, x, y, places->typed_data(), threads);
  });
}

template <class Number>
void extreme_of(const AlongAxis& shape, bool largest, Any x, ffi::Result<Any> y, const Threads& threads) {
  extreme_along(shape, largest, static_cast<const Number*>(x.untyped_data()), static_cast<Number*>(y->untyped_data()), threads);
}

ffi::Error extreme_element(ffi::ThreadPool pool, Any x, Numbers largest, ffi::Result<Any> y) {
  return guarded("mycelium_extreme", [&] {
    const AlongAxis shape = reduced_axis_of(x.dimensions(), y->dimensions());
    demand_dtype("y", y->element_type(), x.element_type());
    const bool most = flag_of("largest", largest);
    const Threads threads(&pool);
    if (x.element_type() == ffi::S8) return extreme_of<int8_t>(shape, most, x, y, threads);
    if (x.element_type() == ffi::U8) return extreme_of<uint8_t>(shape, most, x, y, threads);
    if (x.element_type() == ffi::S32) return extreme_of<int32_t>(shape, most, x, y, threads);
    if (x.element_type() == ffi::F32) return extreme_of<float>(shape, most, x, y, threads);
    if (x.element_type() == ffi::F64) return extreme_of<double>(shape, most, x, y, threads);
    if (x.element_type() == ffi::F16 || x.element_type() == ffi::BF16)
      return extreme_along(shape, most, x.element_type() == ffi::F16 ? Half::kFloat16 : Half::kBfloat16,
                           static_cast<const uint16_t*>(x.untyped_data()), static_cast<uint16_t*>(y->untyped_data()), threads);
    demand_dtype("x", x.element_type(), ffi::S64);
    extreme_of<int64_t>(shape, most, x, y, threads);
  });
}

ffi::Error fold(ffi::ThreadPool pool, Floats x, Numbers kind, ffi::Result<Floats> y) {
  return guarded("mycelium_fold", [&] {
    const AlongAxis shape = reduced_axis_of(x.dimensions(), y->dimensions());
    demand_count("kind", kind, 1), demand_between("kind", kind[0], 0, 2);
    fold_along(shape, static_cast<Fold>(kind[0]), x.typed_data(), y->typed_data(), Threads(&pool));
  });
}

ffi::Error draw(ffi::ThreadPool pool, Floats weights, ffi::Buffer<ffi::U64> bits, ffi::Result<Integers> places) {
  return guarded("mycelium_draw", [&] {
    const Rows rows = rows_of(weights.dimensions());
    demand_rank("bits", bits.dimensions(), 2), demand_same("places", places->dimensions(), bits.dimensions());
    const int64_t count = bits.dimensions()[1];
    demand_shape("bits", bits.dimensions(), {rows.count, count});
    draw_places(rows.count, rows.length, count, weights.typed_data(), bits.typed_data(), places->typed_data(), Threads(&pool));
  });
}

ffi::Error remainder_of(ffi::ThreadPool pool, Floats x, Floats y, ffi::Result<Floats> z) {
  return guarded("mycelium_remainder", [&] {
    demand_rank("x", x.dimensions(), 1);
    demand_same("y", y.dimensions(), x.dimensions()), demand_same("z", z->dimensions(), x.dimensions());
    remainders(x.dimensions()[0], x.typed_data(), y.typed_data(), z->typed_data(), Threads(&pool));
  });
}

ffi::Error recurrence(ffi::ThreadPool pool, Floats a, Floats b, Numbers backward, ffi::Result<Floats> y) {
  return guarded("mycelium_linear_recurrence", [&] {
    const AlongAxis shape = along_axis_of("a", a.dimensions());
    demand_same("b", b.dimensions(), a.dimensions()), demand_same("y", y->dimensions(), a.dimensions());
    linear_recurrence(shape, flag_of("backward", backward), a.typed_data(), b.typed_data(), y->typed_data(), Threads(&pool));
  });
}

template <bool Logarithms>
ffi::Error running(ffi::ThreadPool pool, Floats x, Numbers backward, ffi::Result<Floats> y) {
  return guarded(Logarithms ? "mycelium_running_log_sum" : "mycelium_running_product", [&] {
    const AlongAxis shape = along_axis_of("x", x.dimensions());
    demand_same("y", y->dimensions(), x.dimensions());
    (Logarithms ? running_log_sum : running_product)(shape, flag_of("backward", backward), x.typed_data(), y->typed_data(), Threads(&pool));
  });
}

// `windows` holds, for each of three axes, how many there are, their size, and their positions.
WindowLists window_lists_of(Sizes x, Sizes y, Sizes windows) {
  demand_rank("x", x, 4), demand_rank("y", y, 4);
  WindowLists found{x[0], {}};
  demand_between("size of a plane", product_of_sizes("x", {x[1], x[2], x[3]}), 1, kMostOfAttribute);
  size_t at = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (at + 2 > windows.size()) throw Misfit("the 'windows' must be those of three axes, but got " + shown(windows));
    WindowList& list = found.axes[axis];
    list = {x[axis + 1], windows[at], windows[at + 1], nullptr};
    demand_between("number of windows", list.count, 1, kMostOfAttribute), demand_between("size of windows", list.size, 1, kMostOfAttribute);
    if (static_cast<size_t>(list.count * list.size) > windows.size() - at - 2)
      throw Misfit("the 'windows' must hold the positions of all, but got " + shown(windows));
    list.places = windows.begin() + at + 2;
    at += 2 + list.count * list.size;
    for (int64_t i = 0; i < list.count * list.size; ++i) demand_between("position", list.places[i], -1, list.length - 1);
  }
  if (at != windows.size()) throw Misfit("the 'windows' must be those of three axes, but got " + shown(windows));
  demand_shape("y", y, {x[0], found.axes[0].count, found.axes[1].count, found.axes[2].count});
  return found;
}

ffi::Error windows_largest(ffi::ThreadPool pool, Floats x, Numbers windows, ffi::Result<Floats> y, ffi::Result<Integers> places) {
  return guarded("mycelium_largest", [&] {
    const WindowLists lists = window_lists_of(x.dimensions(), y->dimensions(), windows);
    demand_same("places", places->dimensions(), y->dimensions());
    largest_of_windows(lists, x.typed_data(), y->typed_data(), places->typed_data(), Threads(&pool));
  });
}

ffi::Error apart(ffi::ThreadPool pool, Floats x, Floats y, Numbers norm, ffi::Result<Floats> z) {
  return guarded("mycelium_distances", [&] {
    demand_rank("x", x.dimensions(), 3), demand_rank("y", y.dimensions(), 3);
    const int64_t batch = x.dimensions()[0], rows = x.dimensions()[1], depth = x.dimensions()[2], columns = y.dimensions()[1];
    demand_shape("y", y.dimensions(), {batch, columns, depth}), demand_shape("z", z->dimensions(), {batch, rows, columns});
    demand_count("norm", norm, 1), demand_between("norm", norm[0], 0, 2);
    distances(batch, rows, columns, depth, static_cast<Norm>(norm[0]), x.typed_data(), y.typed_data(), z->typed_data(), Threads(&pool));
  });
}

ffi::Error wave(ffi::ThreadPool pool, Floats x, Numbers kind, ffi::Result<Floats> y) {
  return guarded("mycelium_wave", [&] {
    demand_rank("x", x.dimensions(), 1), demand_same("y", y->dimensions(), x.dimensions());
    demand_count("kind", kind, 1), demand_between("kind", kind[0], 0, 2);
    waves(static_cast<Wave>(kind[0]), x.dimensions()[0], x.typed_data(), y->typed_data(), Threads(&pool));
  });
}

ffi::Error whole_product(ffi::ThreadPool pool, Any x, Any y, ffi::Result<Any> z) {
  return guarded("mycelium_integer_product", [&] {
    demand_rank("x", x.dimensions(), 3), demand_rank("y", y.dimensions(), 3);
    const int64_t batch = x.dimensions()[0], rows = x.dimensions()[1], depth = x.dimensions()[2], columns = y.dimensions()[2];
    demand_shape("y", y.dimensions(), {batch, depth, columns}), demand_shape("z", z->dimensions(), {batch, rows, columns});
    demand_dtype("y", y.element_type(), x.element_type()), demand_dtype("z", z->element_type(), x.element_type());
    const Threads threads(&pool);
    if (x.element_type() == ffi::S32)
      return integer_product(batch, rows, columns, depth, x.typed_data<int32_t>(), y.typed_data<int32_t>(), z->typed_data<int32_t>(), threads);
    demand_dtype("x", x.element_type(), ffi::S64);
    integer_product(batch, rows, columns, depth, x.typed_data<int64_t>(), y.typed_data<int64_t>(), z->typed_data<int64_t>(), threads);
  });
}

auto with_pool() { return ffi::Ffi::Bind().Ctx<ffi::ThreadPool>(); }
auto running_binding() { return with_pool().Arg<Floats>().Attr<Numbers>("backward").Ret<Floats>(); }

}  // namespace
}  // namespace mycelium

XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_sum, mycelium::total, mycelium::with_pool().Arg<mycelium::Any>().Ret<mycelium::Any>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_running_extreme, mycelium::extreme,
                              mycelium::with_pool().Arg<mycelium::Any>().Attr<mycelium::Numbers>("largest").Ret<mycelium::Any>().Ret<mycelium::Integers>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_extreme, mycelium::extreme_element,
                              mycelium::with_pool().Arg<mycelium::Any>().Attr<mycelium::Numbers>("largest").Ret<mycelium::Any>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_fold, mycelium::fold,
                              mycelium::with_pool().Arg<mycelium::Floats>().Attr<mycelium::Numbers>("kind").Ret<mycelium::Floats>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_draw, mycelium::draw,
                              mycelium::with_pool().Arg<mycelium::Floats>().Arg<mycelium::ffi::Buffer<mycelium::ffi::U64>>().Ret<mycelium::Integers>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_remainder, mycelium::remainder_of,
                              mycelium::with_pool().Arg<mycelium::Floats>().Arg<mycelium::Floats>().Ret<mycelium::Floats>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_linear_recurrence, mycelium::recurrence,
                              mycelium::with_pool().Arg<mycelium::Floats>().Arg<mycelium::Floats>().Attr<mycelium::Numbers>("backward").Ret<mycelium::Floats>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_running_log_sum, mycelium::running<true>, mycelium::running_binding());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_running_product, mycelium::running<false>, mycelium::running_binding());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_largest, mycelium::windows_largest,
                              mycelium::with_pool().Arg<mycelium::Floats>().Attr<mycelium::Numbers>("windows").Ret<mycelium::Floats>().Ret<mycelium::Integers>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_distances, mycelium::apart,
                              mycelium::with_pool().Arg<mycelium::Floats>().Arg<mycelium::Floats>().Attr<mycelium::Numbers>("norm").Ret<mycelium::Floats>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_wave, mycelium::wave,
                              mycelium::with_pool().Arg<mycelium::Floats>().Attr<mycelium::Numbers>("kind").Ret<mycelium::Floats>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_integer_product, mycelium::whole_product,
                              mycelium::with_pool().Arg<mycelium::Any>().Arg<mycelium::Any>().Ret<mycelium::Any>());
