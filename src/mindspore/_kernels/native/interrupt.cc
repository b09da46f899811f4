// Ctrl-C in a loop that does not end: the loop's condition looks at a flag that the signal sets, and the program fails.
#include <signal.h>

#include <atomic>

#include "checks.h"

namespace mycelium {
namespace {

using Flag = ffi::Buffer<ffi::F32>;

std::atomic<bool> interrupted{false};
struct sigaction before;  // Python's handler, which makes the KeyboardInterrupt

void on_signal(int number, siginfo_t* info, void* context) {
  interrupted.store(true, std::memory_order_relaxed);
  if (before.sa_flags & SA_SIGINFO) {
    before.sa_sigaction(number, info, context);
  } else if (before.sa_handler == SIG_DFL) {
    signal(number, SIG_DFL);
    raise(number);
  } else if (before.sa_handler != SIG_IGN) {
    before.sa_handler(number);
  }
}

ffi::Error look(Flag condition, ffi::Result<Flag> result) {
  if (interrupted.load(std::memory_order_relaxed)) {
    return ffi::Error(ffi::ErrorCode::kCancelled, "mycelium_interrupt: a loop was interrupted");
  }
  return guarded("mycelium_interrupt", [&] {
    demand_shape("condition", condition.dimensions(), {}), demand_shape("result", result->dimensions(), {});
    *result->typed_data() = *condition.typed_data();
  });
}

}  // namespace
}  // namespace mycelium

// Before a program with loops: forget earlier signals, and see the next before Python does.
extern "C" void mycelium_watch_interrupts() {
  mycelium::interrupted.store(false, std::memory_order_relaxed);
  struct sigaction now;
  if (sigaction(SIGINT, nullptr, &now) != 0 || ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == mycelium::on_signal)) return;
  mycelium::before = now;
  struct sigaction ours = now;
  ours.sa_flags |= SA_SIGINFO;
  ours.sa_sigaction = mycelium::on_signal;
  sigaction(SIGINT, &ours, nullptr);
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_interrupt, mycelium::look,
                              xla::ffi::Ffi::Bind().Arg<mycelium::Flag>().Ret<mycelium::Flag>());
