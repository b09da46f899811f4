// The kernels as XLA finds them: custom calls by name.
#include "operands.h"

namespace mycelium {
namespace {

using Floats = ffi::Buffer<ffi::F32>;
using Bfloats = ffi::Buffer<ffi::BF16>;
using Numbers = ffi::Span<const int64_t>;

ffi::Error forward(ffi::ThreadPool pool, Floats x, Floats w, Numbers geometry, ffi::Result<Floats> y) {
  return guarded("mycelium_convolution", [&] {
    const Convolution shape = convolution_of(x.dimensions(), w.dimensions(), y->dimensions(), geometry);
    (shape.depthwise() ? depthwise_convolve : convolve)(shape, x.typed_data(), w.typed_data(), y->typed_data(), Threads(&pool));
  });
}

ffi::Error to_input(ffi::ThreadPool pool, Floats dy, Floats w, Numbers geometry, ffi::Result<Floats> dx) {
  return guarded("mycelium_convolution_input", [&] {
    const Convolution shape = convolution_of(dx->dimensions(), w.dimensions(), dy.dimensions(), geometry);
    (shape.depthwise() ? depthwise_input_gradient : input_gradient)(shape, dy.typed_data(), w.typed_data(), dx->typed_data(), Threads(&pool));
  });
}

ffi::Error to_weights(ffi::ThreadPool pool, Floats x, Floats dy, Numbers geometry, ffi::Result<Floats> dw) {
  return guarded("mycelium_convolution_weights", [&] {
    const Convolution shape = convolution_of(x.dimensions(), dw->dimensions(), dy.dimensions(), geometry);
    (shape.depthwise() ? depthwise_weight_gradient : weight_gradient)(shape, x.typed_data(), dy.typed_data(), dw->typed_data(), Threads(&pool));
  });
}

template <bool ReLU>
ffi::Error largest(ffi::ThreadPool pool, Floats x, Numbers windows, ffi::Result<Floats> y) {
  return guarded(ReLU ? "mycelium_max_pool_relu" : "mycelium_max_pool", [&] {
    max_pool(pooling_of(x.dimensions(), y->dimensions(), windows), ReLU, x.typed_data(), y->typed_data(), Threads(&pool));
  });
}

template <bool ReLU>
ffi::Error to_largest(ffi::ThreadPool pool, Floats x, Floats dy, Numbers windows, ffi::Result<Floats> dx) {
  return guarded(ReLU ? "mycelium_max_pool_gradient_relu" : "mycelium_max_pool_gradient", [&] {
    const Pooling shape = pooling_of(x.dimensions(), dy.dimensions(), windows);
    demand_same("dx", dx->dimensions(), x.dimensions());
    max_pool_gradient(shape, ReLU, x.typed_data(), dy.typed_data(), dx->typed_data(), Threads(&pool));
  });
}

ffi::Error moments(ffi::ThreadPool pool, Floats x, ffi::Result<Floats> mean, ffi::Result<Floats> variance) {
  return guarded("mycelium_channel_moments", [&] {
    const int64_t channels = channels_of(x.dimensions());
    demand_shape("mean", mean->dimensions(), {channels}), demand_shape("variance", variance->dimensions(), {channels});
    channel_moments(x.element_count() / channels, channels, x.typed_data(), mean->typed_data(), variance->typed_data(),
                    Threads(&pool));
  });
}

ffi::Error sums(ffi::ThreadPool pool, Floats x, Floats centre, Floats t, ffi::Result<Floats> sum, ffi::Result<Floats> product) {
  return guarded("mycelium_channel_sums", [&] {
    const int64_t channels = channels_of(x.dimensions());
    demand_shape("centre", centre.dimensions(), {channels}), demand_same("t", t.dimensions(), x.dimensions());
    demand_shape("sum", sum->dimensions(), {channels}), demand_shape("product", product->dimensions(), {channels});
    channel_sums(x.element_count() / channels, channels, x.typed_data(), centre.typed_data(), t.typed_data(),
                 sum->typed_data(), product->typed_data(), Threads(&pool));
  });
}

ffi::Error product(ffi::ThreadPool pool, Floats x, Floats y, Numbers form, ffi::Result<Floats> z) {
  return guarded("mycelium_product", [&] {
    multiply(product_of(x.dimensions(), y.dimensions(), z->dimensions(), form), x.typed_data(), y.typed_data(),
             z->typed_data(), Threads(&pool));
  });
}

ffi::Error product_of_bfloat16(ffi::ThreadPool pool, Bfloats x, Bfloats y, Numbers form, ffi::Result<Bfloats> z) {
  return guarded("mycelium_bfloat16_product", [&] {
    if (!multiplies_bfloat16()) throw Misfit("this processor must have an instruction for bfloat16");
    const auto numbers = [](const auto& buffer) { return static_cast<uint16_t*>(buffer.untyped_data()); };
    multiply_bfloat16(product_of(x.dimensions(), y.dimensions(), z->dimensions(), form), numbers(x), numbers(y), numbers(*z), Threads(&pool));
  });
}

ffi::Error through_time(ffi::ThreadPool pool, Floats shares, Floats h, Floats c, Floats lengths, Floats weights, Floats bias,
                        Numbers cell, ffi::Result<Floats> outputs, ffi::Result<Floats> last_h, ffi::Result<Floats> last_c,
                        ffi::Result<Floats> opened, ffi::Result<Floats> extra) {
  return guarded("mycelium_recurrent", [&] {
    const Recurrence shape =
        recurrence_of(shares.dimensions(), h.dimensions(), weights.dimensions(), lengths.dimensions(), cell);
    demand_shape("bias", bias.dimensions(), {shape.gates()}), demand_same("last h", last_h->dimensions(), h.dimensions());
    demand_shape("outputs", outputs->dimensions(), {shape.steps, shape.batch, shape.hidden});
    demand_state(shape, "c", c.dimensions()), demand_state(shape, "last c", last_c->dimensions());
    demand_kept(shape, opened->dimensions(), extra->dimensions());
    *last_c->typed_data() = *opened->typed_data() = *extra->typed_data() = 0;  // what this cell does not have
    recur(shape,
          {shares.typed_data(), h.typed_data(), c.typed_data(), lengths.typed_data(), weights.typed_data(), bias.typed_data(),
           outputs->typed_data(), last_h->typed_data(), last_c->typed_data(), opened->typed_data(), extra->typed_data()},
          Threads(&pool));
  });
}

ffi::Error back_through_time(ffi::ThreadPool pool, Floats opened, Floats extra, Floats lengths, Floats weights, Floats outputs,
                             Floats last_h, Floats last_c, Numbers cell, ffi::Result<Floats> shares,
                             ffi::Result<Floats> hidden_shares, ffi::Result<Floats> h, ffi::Result<Floats> c) {
  return guarded("mycelium_recurrent_gradient", [&] {
    const Recurrence shape =
        recurrence_of(opened.dimensions(), last_h.dimensions(), weights.dimensions(), lengths.dimensions(), cell);
    demand_between("flag for the gradient", shape.kept, 1, 1), demand_kept(shape, opened.dimensions(), extra.dimensions());
    demand_shape("outputs", outputs.dimensions(), {shape.steps, shape.batch, shape.hidden});
    demand_state(shape, "last c", last_c.dimensions()), demand_state(shape, "c", c->dimensions());
    demand_same("h", h->dimensions(), last_h.dimensions()), demand_same("shares", shares->dimensions(), opened.dimensions());
    demand_steps("hidden shares", hidden_shares->dimensions(), shape.cell == Cell::kGru, shape.steps, shape.batch, shape.gates());
    *hidden_shares->typed_data() = *c->typed_data() = 0;  // what this cell does not have
    recur_back(shape,
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
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_bfloat16_product, mycelium::product_of_bfloat16,
                              mycelium::with_pool().Arg<mycelium::Bfloats>().Arg<mycelium::Bfloats>().Attr<mycelium::Numbers>("form").Ret<mycelium::Bfloats>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_product, mycelium::product,
                              mycelium::with_pool().Arg<mycelium::Floats>().Arg<mycelium::Floats>().Attr<mycelium::Numbers>("form").Ret<mycelium::Floats>());

// Whether this processor has the instruction that the products of bfloat16 need.
extern "C" int mycelium_multiplies_bfloat16() { return mycelium::multiplies_bfloat16(); }
