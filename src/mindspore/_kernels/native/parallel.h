// Work on XLA's own threads: no second pool that would fight for the same cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>

#include "xla/ffi/api/ffi.h"

namespace mycelium {

namespace ffi = xla::ffi;

// XLA's pool; without one (in tests) everything is done by the caller.
class Threads {
 public:
  explicit Threads(ffi::ThreadPool* pool = nullptr) : pool_(pool), count_(pool == nullptr ? 1 : pool->num_threads()) {}
  // Calls work(i) for every 0 <= i < count; `operations` is what all of it costs.
  void run(int64_t count, double operations, const std::function<void(int64_t)>& work) const;
  // A small piece of work is done at once by the caller: waking a thread costs about as much as 10^6 operations.
  int64_t worthwhile(double operations) const {
    return std::max<int64_t>(1, std::min(count_, static_cast<int64_t>(operations / 1e6)));
  }

 private:
  ffi::ThreadPool* pool_;
  int64_t count_;
};

// Into how many parts a sum is divided: 1, 2, 4, 8 or 16, as the work demands, and not as many as there are threads.
// Sums of parts are added up in order, so the bits of a result are the same on one core and on many.
inline int64_t parts_of_sum(double operations, int64_t most) {
  int64_t parts = 1;
  while (parts < 16 && 2 * parts <= most && operations >= 2e6 * parts) parts *= 2;
  return parts;
}

inline void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// The caller works too and waits only for pieces that have begun elsewhere:
// a pool whose threads are all busy makes this slower, and can never block it.
inline void Threads::run(int64_t count, double operations, const std::function<void(int64_t)>& work) const {
  const int64_t helpers = std::min(worthwhile(operations), count) - 1;
  if (helpers <= 0) {
    for (int64_t i = 0; i < count; ++i) work(i);
    return;
  }
  struct Shared {
    std::atomic<int64_t> next{0}, finished{0};
    int64_t count;
    const std::function<void(int64_t)>* work;  // lives as long as a piece is unfinished
    std::mutex lock;
    std::condition_variable all_finished;
    std::exception_ptr failure;  // the first one, of whatever thread: the caller throws it when no piece runs any more
    void piece(int64_t i) {
      try {
        (*work)(i);
      } catch (...) {
        std::lock_guard<std::mutex> hold(lock);
        if (!failure) failure = std::current_exception();
      }
    }
  };
  auto shared = std::make_shared<Shared>();
  shared->count = count;
  shared->work = &work;
  auto take_pieces = [shared] {
    int64_t done = 0;
    for (int64_t i; (i = shared->next.fetch_add(1)) < shared->count; ++done) shared->piece(i);
    if (done > 0 && shared->finished.fetch_add(done) + done == shared->count) {
      std::lock_guard<std::mutex> hold(shared->lock);
      shared->all_finished.notify_one();
    }
  };
  for (int64_t i = 0; i < helpers; ++i) pool_->Schedule(std::function<void()>(take_pieces));
  take_pieces();
  for (int turns = 0; turns < 20000; ++turns) {  // the others are nearly done: sleeping would take longer than that
    if (shared->finished.load(std::memory_order_acquire) == shared->count) break;
    pause();
  }
  std::unique_lock<std::mutex> hold(shared->lock);
  shared->all_finished.wait(hold, [&] { return shared->finished.load() == shared->count; });
  if (std::exception_ptr failure = std::move(shared->failure)) std::rethrow_exception(std::move(failure));
}

}  // namespace mycelium
