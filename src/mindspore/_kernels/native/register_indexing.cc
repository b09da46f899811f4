// Indices, slices that are read or written at them, and images sampled between pixels, as XLA finds them: custom calls by name.
#include <cstring>

#include "checks.h"
#include "indexing.h"
#include "sampling.h"

namespace mycelium {
namespace {

using Any = ffi::AnyBuffer;
using Numbers = ffi::Span<const int64_t>;

constexpr size_t kMostAxes = 8;
constexpr int64_t kFarthest = int64_t{1} << 39;  // no array has so many elements

ffi::Error farthest(ffi::ThreadPool pool, Any indices, Numbers firsts, ffi::Result<Any> worst) {
  return guarded("mycelium_farthest", [&] {
    demand_rank("indices", indices.dimensions(), 2);
    const int64_t count = indices.dimensions()[0], axes = indices.dimensions()[1];
    demand_between("number of axes", axes, 1, kMostAxes), demand_count("firsts", firsts, axes);
    for (const int64_t first : firsts) demand_between("lowest index", first, -kFarthest, kFarthest);
    demand_shape("worst", worst->dimensions(), {axes});
    demand_dtype("worst", worst->element_type(), indices.element_type());
    with_index("indices", indices.element_type(), [&](auto index) {
      using Index = decltype(index);
      farthest_outside(count, axes, firsts.begin(), indices.typed_data<Index>(), worst->typed_data<Index>(), Threads(&pool));
    });
  });
}

// `numbers` are outer, pitch, run, whether parts have indices of their own, and how what is written meets what is there; then the
// limits and strides of each axis. `x` and `y` have one axis: all slices must lie in x, and y must hold them.
Slices slices_of(Sizes x, Sizes indices, Sizes y, Numbers numbers) {
  demand_rank("x", x, 1), demand_rank("indices", indices, 2), demand_rank("y", y, 1);
  const int64_t axes = indices[1];
  demand_between("number of axes", axes, 1, kMostAxes);
  demand_count("slices", numbers, 5 + 2 * axes);
  for (const int64_t number : numbers) demand_between("number of the slices", number, 0, x[0]);
  demand_between("number of parts", numbers[0], 1, x[0]), demand_between("length of a slice", numbers[2], 1, x[0]);
  demand_between("flag for indices of parts", numbers[3], 0, 1), demand_between("way of joining", numbers[4], 0, 3);
  const bool own = numbers[3] != 0;
  if (own && indices[0] % numbers[0] != 0) throw Misfit("the 'indices' must be as many for each part, but got " + shown(indices));
  const int64_t count = own ? indices[0] / numbers[0] : indices[0];
  const Slices shape{numbers[0], numbers[1], count, axes, numbers[2], own, numbers.begin() + 5, numbers.begin() + 5 + axes};
  demand_shape("y", y, {product_of_sizes("y", {shape.outer, count, shape.run})});
  int64_t end = product_of_sizes("pitch", {shape.outer - 1, shape.pitch});
  for (int64_t k = 0; k < axes; ++k) {
    const int64_t farthest = product_of_sizes("slices", {shape.limits[k], shape.strides[k]});
    if (__builtin_add_overflow(end, farthest, &end)) throw Misfit("the 'slices' must lie in x, but got " + shown(numbers));
  }
  if (end > x[0] - shape.run) throw Misfit("the 'slices' must lie in x, but got " + shown(numbers) + " for the shape " + shown(x));
  return shape;
}

void read_any(ffi::ThreadPool pool, Any x, Any indices, const uint8_t* inside, Numbers slices, ffi::Result<Any> y) {
  const Slices shape = slices_of(x.dimensions(), indices.dimensions(), y->dimensions(), slices);
  demand_dtype("y", y->element_type(), x.element_type());
  const int64_t bytes = bytes_of("x", x.element_type());
  with_index("indices", indices.element_type(), [&](auto index) {
    using Index = decltype(index);
    read_slices(shape, bytes, x.untyped_data(), indices.typed_data<Index>(), inside, y->untyped_data(), Threads(&pool));
  });
}

ffi::Error read(ffi::ThreadPool pool, Any x, Any indices, Numbers slices, ffi::Result<Any> y) {
  return guarded("mycelium_read_slices", [&] { read_any(pool, x, indices, nullptr, slices, y); });
}

ffi::Error read_inside(ffi::ThreadPool pool, Any x, Any indices, ffi::Buffer<ffi::PRED> inside, Numbers slices, ffi::Result<Any> y) {
  return guarded("mycelium_read_slices_inside", [&] {
    demand_rank("indices", indices.dimensions(), 2);
    demand_shape("inside", inside.dimensions(), {indices.dimensions()[0]});
    read_any(pool, x, indices, static_cast<const uint8_t*>(inside.untyped_data()), slices, y);
  });
}

template <class Number>
void write_as(const Slices& shape, Joined how, Any indices, const void* y, void* x, const Threads& threads) {
  with_index("indices", indices.element_type(), [&](auto index) {
    using Index = decltype(index);
    write_slices(shape, how, static_cast<const Number*>(y), indices.typed_data<Index>(), static_cast<Number*>(x), threads);
  });
}

// Setting moves bytes; what is joined otherwise has a dtype that there is arithmetic for.
void write_any(const Slices& shape, Joined how, ffi::DataType dtype, Any indices, const void* y, void* x, const Threads& threads) {
  const auto by = [&](auto number) { write_as<decltype(number)>(shape, how, indices, y, x, threads); };
  if (how == Joined::kSet) {
    const int64_t bytes = bytes_of("x", dtype);
    if (bytes == 1) return by(uint8_t{});
    if (bytes == 2) return by(uint16_t{});
    return bytes == 4 ? by(int32_t{}) : by(int64_t{});
  }
  if (dtype == ffi::F32) return by(float{});
  if (dtype == ffi::F64) return by(double{});
  if (dtype == ffi::S32) return by(int32_t{});
  if (dtype == ffi::BF16) return by(Bfloat{});
  if (dtype == ffi::F16) return by(Float16Bits{});
  demand_dtype("x", dtype, ffi::S64);
  by(int64_t{});
}

ffi::Error write(ffi::ThreadPool pool, Any x, Any indices, Any y, Numbers slices, ffi::Result<Any> z) {
  return guarded("mycelium_write_slices", [&] {
    const Slices shape = slices_of(x.dimensions(), indices.dimensions(), y.dimensions(), slices);
    demand_dtype("y", y.element_type(), x.element_type()), demand_dtype("z", z->element_type(), x.element_type());
    demand_same("z", z->dimensions(), x.dimensions());
    // Threads write parts: those must not meet.
    int64_t reach = shape.run;
    for (int64_t k = 0; k < shape.axes; ++k) reach += shape.limits[k] * shape.strides[k];
    if (shape.outer > 1 && shape.pitch < reach) throw Misfit("the parts of x must not meet, but got " + shown(slices));
    // usually XLA gives the result the memory of x
    if (z->untyped_data() != x.untyped_data()) std::memcpy(z->untyped_data(), x.untyped_data(), x.size_bytes());
    write_any(shape, static_cast<Joined>(slices[4]), x.element_type(), indices, y.untyped_data(), z->untyped_data(), Threads(&pool));
  });
}

// `x` are images, `y` (batch, channels, count) what is sampled of them.
Sampling sampling_of(Sizes x, Sizes y, Sizes down, Sizes right) {
  demand_rank("x", x, 4), demand_rank("y", y, 3);
  const Sampling shape{x[0], x[1], x[2], x[3], y[2]};
  demand_between("size of an image", product_of_sizes("x", {x[2], x[3]}), 1, kMostOfAttribute);
  demand_shape("y", y, {shape.batch, shape.channels, shape.count});
  demand_shape("down", down, {shape.batch, shape.count}), demand_shape("right", right, {shape.batch, shape.count});
  return shape;
}

using Floats = ffi::Buffer<ffi::F32>;

ffi::Error sampled(ffi::ThreadPool pool, Floats x, Floats down, Floats right, ffi::Result<Floats> y) {
  return guarded("mycelium_sample", [&] {
    const Sampling shape = sampling_of(x.dimensions(), y->dimensions(), down.dimensions(), right.dimensions());
    sample(shape, x.typed_data(), down.typed_data(), right.typed_data(), y->typed_data(), Threads(&pool));
  });
}

ffi::Error spread(ffi::ThreadPool pool, Floats y, Floats down, Floats right, ffi::Result<Floats> x) {
  return guarded("mycelium_sample_spread", [&] {
    const Sampling shape = sampling_of(x->dimensions(), y.dimensions(), down.dimensions(), right.dimensions());
    sample_spread(shape, y.typed_data(), down.typed_data(), right.typed_data(), x->typed_data(), Threads(&pool));
  });
}

ffi::Error slopes(ffi::ThreadPool pool, Floats x, Floats down, Floats right, Floats y, ffi::Result<Floats> to_down, ffi::Result<Floats> to_right) {
  return guarded("mycelium_sample_slopes", [&] {
    const Sampling shape = sampling_of(x.dimensions(), y.dimensions(), down.dimensions(), right.dimensions());
    demand_same("slopes down", to_down->dimensions(), down.dimensions()), demand_same("slopes right", to_right->dimensions(), right.dimensions());
    sample_slopes(shape, x.typed_data(), down.typed_data(), right.typed_data(), y.typed_data(), to_down->typed_data(),
                  to_right->typed_data(), Threads(&pool));
  });
}

auto with_pool() { return ffi::Ffi::Bind().Ctx<ffi::ThreadPool>(); }

}  // namespace
}  // namespace mycelium

XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_farthest, mycelium::farthest,
                              mycelium::with_pool().Arg<mycelium::Any>().Attr<mycelium::Numbers>("firsts").Ret<mycelium::Any>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_read_slices, mycelium::read,
                              mycelium::with_pool().Arg<mycelium::Any>().Arg<mycelium::Any>().Attr<mycelium::Numbers>("slices").Ret<mycelium::Any>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_read_slices_inside, mycelium::read_inside,
                              mycelium::with_pool().Arg<mycelium::Any>().Arg<mycelium::Any>().Arg<mycelium::ffi::Buffer<mycelium::ffi::PRED>>().Attr<mycelium::Numbers>("slices").Ret<mycelium::Any>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_write_slices, mycelium::write,
                              mycelium::with_pool().Arg<mycelium::Any>().Arg<mycelium::Any>().Arg<mycelium::Any>().Attr<mycelium::Numbers>("slices").Ret<mycelium::Any>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_sample, mycelium::sampled,
                              mycelium::with_pool().Arg<mycelium::Floats>().Arg<mycelium::Floats>().Arg<mycelium::Floats>().Ret<mycelium::Floats>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_sample_spread, mycelium::spread,
                              mycelium::with_pool().Arg<mycelium::Floats>().Arg<mycelium::Floats>().Arg<mycelium::Floats>().Ret<mycelium::Floats>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_sample_slopes, mycelium::slopes,
                              mycelium::with_pool().Arg<mycelium::Floats>().Arg<mycelium::Floats>().Arg<mycelium::Floats>().Arg<mycelium::Floats>().Ret<mycelium::Floats>().Ret<mycelium::Floats>());
