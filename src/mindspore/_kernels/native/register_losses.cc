// The kernels of losses as XLA finds them: custom calls by name.
#include "entropy.h"
#include "operands.h"

namespace mycelium {
namespace {

using Floats = ffi::Buffer<ffi::F32>;
using Integers = ffi::Buffer<ffi::S32>;

ffi::Error entropy_of_classes(ffi::ThreadPool pool, Floats x, Integers classes, ffi::Result<Floats> entropy, ffi::Result<Floats> largest,
                              ffi::Result<Floats> logarithms) {
  return guarded("mycelium_class_entropy", [&] {
    const AlongAxis shape = along_axis_of("x", x.dimensions());
    demand_shape("classes", classes.dimensions(), {shape.outer, shape.inner});
    demand_same("entropy", entropy->dimensions(), classes.dimensions());
    demand_same("largest", largest->dimensions(), classes.dimensions());
    demand_same("logarithms", logarithms->dimensions(), classes.dimensions());
    class_entropy(shape, x.typed_data(), classes.typed_data(), entropy->typed_data(), largest->typed_data(), logarithms->typed_data(),
                  Threads(&pool));
  });
}

ffi::Error slopes_of_entropy(ffi::ThreadPool pool, Floats x, Integers classes, Floats largest, Floats logarithms, Floats whole, Floats own,
                             ffi::Result<Floats> y) {
  return guarded("mycelium_class_entropy_slopes", [&] {
    const AlongAxis shape = along_axis_of("x", x.dimensions());
    demand_shape("classes", classes.dimensions(), {shape.outer, shape.inner});
    demand_same("largest", largest.dimensions(), classes.dimensions()), demand_same("logarithms", logarithms.dimensions(), classes.dimensions());
    demand_same("whole", whole.dimensions(), classes.dimensions()), demand_same("own", own.dimensions(), classes.dimensions());
    demand_same("y", y->dimensions(), x.dimensions());
    class_entropy_slopes(shape, x.typed_data(), classes.typed_data(), largest.typed_data(), logarithms.typed_data(), whole.typed_data(),
                         own.typed_data(), y->typed_data(), Threads(&pool));
  });
}

}  // namespace
}  // namespace mycelium

XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_class_entropy, mycelium::entropy_of_classes,
                              mycelium::ffi::Ffi::Bind()
                                  .Ctx<mycelium::ffi::ThreadPool>()
                                  .Arg<mycelium::Floats>()
                                  .Arg<mycelium::Integers>()
                                  .Ret<mycelium::Floats>()
                                  .Ret<mycelium::Floats>()
                                  .Ret<mycelium::Floats>());
XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_class_entropy_slopes, mycelium::slopes_of_entropy,
                              mycelium::ffi::Ffi::Bind()
                                  .Ctx<mycelium::ffi::ThreadPool>()
                                  .Arg<mycelium::Floats>()
                                  .Arg<mycelium::Integers>()
                                  .Arg<mycelium::Floats>()
                                  .Arg<mycelium::Floats>()
                                  .Arg<mycelium::Floats>()
                                  .Arg<mycelium::Floats>()
                                  .Ret<mycelium::Floats>());
