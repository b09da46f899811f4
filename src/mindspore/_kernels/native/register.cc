// The kernels as XLA finds them: custom calls by name.
#include "convolution.h"
#include "pooling.h"
#include "product.h"
#include "recurrent.h"

namespace mycelium {
namespace {

using Floats = ffi::Buffer<ffi::F32>;
using Numbers = ffi::Span<const int64_t>;

// `x` is (batch, channels, height, width) by name and channels-last in memory; `geometry` is stride, first padding,
// dilation (two numbers each) and groups.
Convolution shape_of(ffi::Span<const int64_t> x, ffi::Span<const int64_t> w, ffi::Span<const int64_t> y, Numbers geometry) {
  return {x[0], x[2], x[3], x[1], w[0], w[2], w[3], y[2], y[3], geometry[0], geometry[1],
          geometry[2], geometry[3], geometry[4], geometry[5], geometry[6]};
}

template <class Work>
ffi::Error guarded(Work work) {
  try {
    work();
  } catch (const std::exception& error) {
    return ffi::Error(ffi::ErrorCode::kResourceExhausted, error.what());
  }
  return ffi::Error::Success();
}

ffi::Error forward(ffi::ThreadPool pool, Floats x, Floats w, Numbers geometry, ffi::Result<Floats> y) {
  return guarded([&] {
    const Convolution shape = shape_of(x.dimensions(), w.dimensions(), y->dimensions(), geometry);
    (shape.depthwise() ? depthwise_convolve : convolve)(shape, x.typed_data(), w.typed_data(), y->typed_data(), Threads(&pool));
  });
}

ffi::Error to_input(ffi::ThreadPool pool, Floats dy, Floats w, Numbers geometry, ffi::Result<Floats> dx) {
  return guarded([&] {
    const Convolution shape = shape_of(dx->dimensions(), w.dimensions(), dy.dimensions(), geometry);
    (shape.depthwise() ? depthwise_input_gradient : input_gradient)(shape, dy.typed_data(), w.typed_data(), dx->typed_data(), Threads(&pool));
  });
}

ffi::Error to_weights(ffi::ThreadPool pool, Floats x, Floats dy, Numbers geometry, ffi::Result<Floats> dw) {
  return guarded([&] {
    const Convolution shape = shape_of(x.dimensions(), dw->dimensions(), dy.dimensions(), geometry);
    (shape.depthwise() ? depthwise_weight_gradient : weight_gradient)(shape, x.typed_data(), dy.typed_data(), dw->typed_data(), Threads(&pool));
  });
}

Pooling windows_of(ffi::Span<const int64_t> x, ffi::Span<const int64_t> y, Numbers windows) {
  return {x[0], x[2], x[3], x[1], y[2], y[3], windows[0], windows[1], windows[2], windows[3], windows[4], windows[5]};
}

template <bool ReLU>
ffi::Error largest(ffi::ThreadPool pool, Floats x, Numbers windows, ffi::Result<Floats> y) {
  return guarded([&] {
    max_pool(windows_of(x.dimensions(), y->dimensions(), windows), ReLU, x.typed_data(), y->typed_data(), Threads(&pool));
  });
}

template <bool ReLU>
ffi::Error to_largest(ffi::ThreadPool pool, Floats x, Floats dy, Numbers windows, ffi::Result<Floats> dx) {
  return guarded([&] {
    max_pool_gradient(windows_of(x.dimensions(), dy.dimensions(), windows), ReLU, x.typed_data(), dy.typed_data(),
                      dx->typed_data(), Threads(&pool));
  });
}

ffi::Error moments(ffi::ThreadPool pool, Floats x, ffi::Result<Floats> mean, ffi::Result<Floats> variance) {
  return guarded([&] {
    const int64_t channels = x.dimensions()[1];
    channel_moments(x.element_count() / channels, channels, x.typed_data(), mean->typed_data(), variance->typed_data(),
                    Threads(&pool));
  });
}

ffi::Error sums(ffi::ThreadPool pool, Floats x, Floats centre, Floats t, ffi::Result<Floats> sum, ffi::Result<Floats> product) {
  return guarded([&] {
    const int64_t channels = x.dimensions()[1];
    channel_sums(x.element_count() / channels, channels, x.typed_data(), centre.typed_data(), t.typed_data(),
                 sum->typed_data(), product->typed_data(), Threads(&pool));
  });
}

// `form`: whether x and y are turned, and whether all leading axes are summed over (x is turned then). There may be any
// number of them in x, and as many in y or none.
Product product_of(ffi::Span<const int64_t> x, ffi::Span<const int64_t> y, ffi::Span<const int64_t> z, Numbers form) {
  const size_t rank = x.size();
  int64_t leading = 1;
  for (size_t i = 0; i + 2 < rank; ++i) leading *= x[i];
  const int64_t rows = z[z.size() - 2], columns = z[z.size() - 1], depth = x[rank - (form[0] ? 2 : 1)];
  if (form[2]) return {1, rows, columns, leading * depth, true, false};
  if (rank > y.size()) return {1, leading * rows, columns, depth, false, form[1] != 0};
  return {leading, rows, columns, depth, form[0] != 0, form[1] != 0};
}

ffi::Error product(ffi::ThreadPool pool, Floats x, Floats y, Numbers form, ffi::Result<Floats> z) {
  return guarded([&] {
    multiply(product_of(x.dimensions(), y.dimensions(), z->dimensions(), form), x.typed_data(), y.typed_data(),
             z->typed_data(), Threads(&pool));
  });
}

// `shares` are (steps, batch, gates), `cell` is its kind, whether it starts with the last step and whether it keeps what the
// gradient needs.
Recurrence recurrence_of(ffi::Span<const int64_t> shares, int64_t hidden, Numbers cell) {
  return {static_cast<Cell>(cell[0]), cell[1] != 0, cell[2] != 0, shares[0], shares[1], hidden};
}

ffi::Error through_time(ffi::ThreadPool pool, Floats shares, Floats h, Floats c, Floats lengths, Floats weights, Floats bias,
                        Numbers cell, ffi::Result<Floats> outputs, ffi::Result<Floats> last_h, ffi::Result<Floats> last_c,
                        ffi::Result<Floats> opened, ffi::Result<Floats> extra) {
  return guarded([&] {
    recur(recurrence_of(shares.dimensions(), h.dimensions()[1], cell),
          {shares.typed_data(), h.typed_data(), c.typed_data(), lengths.typed_data(), weights.typed_data(), bias.typed_data(),
           outputs->typed_data(), last_h->typed_data(), last_c->typed_data(), opened->typed_data(), extra->typed_data()},
          Threads(&pool));
  });
}

ffi::Error back_through_time(ffi::ThreadPool pool, Floats opened, Floats extra, Floats lengths, Floats weights, Floats outputs,
                             Floats last_h, Floats last_c, Numbers cell, ffi::Result<Floats> shares,
                             ffi::Result<Floats> hidden_shares, ffi::Result<Floats> h, ffi::Result<Floats> c) {
  return guarded([&] {
    recur_back(recurrence_of(opened.dimensions(), last_h.dimensions()[1], cell),
               {opened.typed_data(), extra.typed_data(), lengths.typed_data(), weights.typed_data(), outputs.typed_data(),
                last_h.typed_data(), last_c.typed_data(), shares->typed_data(), hidden_shares->typed_data(), h->typed_data(),
                c->typed_data()},
               Threads(&pool));
  });
}

auto with_pool() { return ffi::Ffi::Bind().Ctx<ffi::ThreadPool>(); }

auto pool_binding() { return with_pool().Arg<Floats>().Attr<Numbers>("windows").Ret<Floats>(); }
auto pool_gradient_binding() { return with_pool().Arg<Floats>().Arg<Floats>().Attr<Numbers>("windows").Ret<Floats>(); }

auto recurrent_binding() {
  return with_pool().Arg<Floats>().Arg<Floats>().Arg<Floats>().Arg<Floats>().Arg<Floats>().Arg<Floats>().Attr<Numbers>("cell")
      .Ret<Floats>().Ret<Floats>().Ret<Floats>().Ret<Floats>().Ret<Floats>();
}
auto recurrent_gradient_binding() {
  return with_pool().Arg<Floats>().Arg<Floats>().Arg<Floats>().Arg<Floats>().Arg<Floats>().Arg<Floats>().Arg<Floats>()
      .Attr<Numbers>("cell").Ret<Floats>().Ret<Floats>().Ret<Floats>().Ret<Floats>();
}

auto binding() {
  return with_pool().Arg<Floats>().Arg<Floats>().Attr<Numbers>("geometry").Ret<Floats>();
}

}  // namespace
}  // namespace mycelium

XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_convolution, mycelium::forward, mycelium::binding());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_convolution_input, mycelium::to_input, mycelium::binding());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_convolution_weights, mycelium::to_weights, mycelium::binding());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_max_pool, mycelium::largest<false>, mycelium::pool_binding());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_max_pool_relu, mycelium::largest<true>, mycelium::pool_binding());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_max_pool_gradient, mycelium::to_largest<false>, mycelium::pool_gradient_binding());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_max_pool_gradient_relu, mycelium::to_largest<true>, mycelium::pool_gradient_binding());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_channel_moments, mycelium::moments,
                              mycelium::with_pool().Arg<mycelium::Floats>().Ret<mycelium::Floats>().Ret<mycelium::Floats>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_channel_sums, mycelium::sums,
                              mycelium::with_pool().Arg<mycelium::Floats>().Arg<mycelium::Floats>().Arg<mycelium::Floats>().Ret<mycelium::Floats>().Ret<mycelium::Floats>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_recurrent, mycelium::through_time, mycelium::recurrent_binding());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_recurrent_gradient, mycelium::back_through_time, mycelium::recurrent_gradient_binding());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_product, mycelium::product,
                              mycelium::with_pool().Arg<mycelium::Floats>().Arg<mycelium::Floats>().Attr<mycelium::Numbers>("form").Ret<mycelium::Floats>());
