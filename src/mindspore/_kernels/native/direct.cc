// Kernels called on arrays of the host, without XLA: for operators that are evaluated by NumPy before they are worth compiling.
// A plan holds what is the same at every call; the handlers cannot tell it from a call of XLA's.
#include <sched.h>

#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "xla/ffi/api/c_api.h"

struct XLA_FFI_Error {
  std::string message;
};

namespace {

int64_t processors() {
#if defined(__linux__)
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
  return std::max(1u, std::thread::hardware_concurrency());
}

// Threads for the time in which XLA runs nothing. They live as long as the process.
class Pool {
 public:
  static Pool& instance() {
    static Pool* const pool = new Pool();  // never destroyed: threads may still wait when the process ends
    return *pool;
  }
  int64_t count() const { return count_; }
  void schedule(XLA_FFI_Task* task, void* data) {
    {
      std::lock_guard<std::mutex> hold(lock_);
      tasks_.emplace_back(task, data);
    }
    ready_.notify_one();
  }

 private:
  Pool() : count_(processors()) {
    for (int64_t i = 1; i < count_; ++i) std::thread([this] { work(); }).detach();
  }
  void work() {
    while (true) {
      std::unique_lock<std::mutex> hold(lock_);
      ready_.wait(hold, [this] { return !tasks_.empty(); });
      auto [task, data] = tasks_.front();
      tasks_.pop_front();
      hold.unlock();
      task(data);
    }
  }
  int64_t count_;
  std::mutex lock_;
  std::condition_variable ready_;
  std::deque<std::pair<XLA_FFI_Task*, void*>> tasks_;
};

XLA_FFI_Error* create(XLA_FFI_Error_Create_Args* args) { return new XLA_FFI_Error{args->message}; }
void tell(XLA_FFI_Error_GetMessage_Args* args) { args->message = args->error->message.c_str(); }
void destroy(XLA_FFI_Error_Destroy_Args* args) { delete args->error; }
XLA_FFI_Error* schedule(XLA_FFI_ThreadPool_Schedule_Args* args) {
  Pool::instance().schedule(args->task, args->data);
  return nullptr;
}
XLA_FFI_Error* count_threads(XLA_FFI_ThreadPool_NumThreads_Args* args) {
  *args->num_threads = Pool::instance().count();
  return nullptr;
}

const XLA_FFI_Api& api() {
  static const XLA_FFI_Api found = [] {
    XLA_FFI_Api api{};
    api.struct_size = XLA_FFI_Api_STRUCT_SIZE;
    api.api_version = {XLA_FFI_Api_Version_STRUCT_SIZE, nullptr, XLA_FFI_API_MAJOR, XLA_FFI_API_MINOR};
    api.XLA_FFI_Error_Create = create, api.XLA_FFI_Error_GetMessage = tell, api.XLA_FFI_Error_Destroy = destroy;
    api.XLA_FFI_ThreadPool_Schedule = schedule, api.XLA_FFI_ThreadPool_NumThreads = count_threads;
    return api;
  }();
  return found;
}

struct Plan {
  XLA_FFI_Handler* handler;
  size_t operands;                        // of the buffers; the others are results
  std::vector<std::vector<int64_t>> sizes;
  std::vector<XLA_FFI_Buffer> buffers;    // without memory, which comes with each call
  std::vector<XLA_FFI_ArgType> argument_types;
  std::vector<XLA_FFI_RetType> result_types;
  std::string name;                       // of the only attribute; "" for none
  std::vector<int64_t> numbers;
};

}  // namespace

// Sizes of all buffers one after the other; `types` are XLA's numbers of dtypes. The plan is never freed: there are few.
extern "C" void* mycelium_direct_plan(void* handler, int64_t operands, int64_t count, const int64_t* ranks, const int64_t* sizes,
                                      const int64_t* types, const char* name, int64_t attribute_length, const int64_t* numbers) {
  Plan* plan = new Plan{reinterpret_cast<XLA_FFI_Handler*>(handler), static_cast<size_t>(operands), {}, {}, {}, {}, name,
                        std::vector<int64_t>(numbers, numbers + attribute_length)};
  plan->sizes.resize(count);
  for (int64_t i = 0; i < count; ++i) {
    plan->sizes[i].assign(sizes, sizes + ranks[i]);
    sizes += ranks[i];
    plan->buffers.push_back({XLA_FFI_Buffer_STRUCT_SIZE, nullptr, static_cast<XLA_FFI_DataType>(types[i]), nullptr, ranks[i],
                             plan->sizes[i].data()});
  }
  plan->argument_types.assign(operands, XLA_FFI_ArgType_BUFFER);
  plan->result_types.assign(count - operands, XLA_FFI_RetType_BUFFER);
  return plan;
}

// Runs a plan on memory; nullptr, or what was wrong, valid until this thread's next call.
extern "C" const char* mycelium_direct_call(const void* which, void** memory) {
  static thread_local std::string problem;
  const Plan& plan = *static_cast<const Plan*>(which);
  std::vector<XLA_FFI_Buffer> buffers = plan.buffers;  // a copy: other threads may run the same plan
  std::vector<void*> places(buffers.size());
  for (size_t i = 0; i < buffers.size(); ++i) buffers[i].data = memory[i], places[i] = &buffers[i];

  XLA_FFI_CallFrame frame{};
  frame.struct_size = XLA_FFI_CallFrame_STRUCT_SIZE;
  frame.api = &api();
  frame.stage = XLA_FFI_ExecutionStage_EXECUTE;
  const int64_t results = static_cast<int64_t>(buffers.size() - plan.operands);
  frame.args = {XLA_FFI_Args_STRUCT_SIZE, nullptr, static_cast<int64_t>(plan.operands),
                const_cast<XLA_FFI_ArgType*>(plan.argument_types.data()), places.data()};
  frame.rets = {XLA_FFI_Rets_STRUCT_SIZE, nullptr, results, const_cast<XLA_FFI_RetType*>(plan.result_types.data()),
                places.data() + plan.operands};
  XLA_FFI_AttrType kind = XLA_FFI_AttrType_ARRAY;
  XLA_FFI_ByteSpan name = {plan.name.data(), plan.name.size()};
  XLA_FFI_ByteSpan* names = &name;
  XLA_FFI_Array array = {XLA_FFI_DataType_S64, plan.numbers.size(), const_cast<int64_t*>(plan.numbers.data())};
  void* attribute = &array;
  frame.attrs = {XLA_FFI_Attrs_STRUCT_SIZE, nullptr, plan.name.empty() ? 0 : 1, &kind, &names, &attribute};

  XLA_FFI_Error* error = plan.handler(&frame);
  if (error == nullptr) return nullptr;
  problem = error->message;
  delete error;
  return problem.c_str();
}
