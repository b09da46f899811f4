// Short programs of elementwise steps, run on blocks that stay in the cache: what updates Parameters. XLA compiles a loop for every
// shape of them, which takes longer than a hundred steps of training; this is compiled once, for all.
#include <algorithm>
#include <cstring>
#include <vector>

#include "../checks.h"
#include "../vectors.h"

// The widest vectors that the processor has are chosen when the library is loaded.
#if defined(__x86_64__) && defined(__gnu_linux__) && __GNUC__ >= 12
#define MYCELIUM_EACH_PROCESSOR __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define MYCELIUM_EACH_PROCESSOR
#endif

namespace mycelium {
namespace {

constexpr int64_t kBlock = 512;  // numbers of one value at a time: the values of a program fit the first cache together
constexpr int64_t kPiece = 1 << 14;
constexpr int64_t kMostValues = 1024;

// The same numbers as in _kernels/elementwise.py.
enum Kind : int32_t {
  kAdd, kSubtract, kMultiply, kDivide, kMaximum, kMinimum, kSquareRoot, kReciprocalRoot, kNegate, kAbsolute, kSign, kMultiplyAdd,
  kSubtractProduct, kSelect, kEqual, kUnequal, kLess, kLessOrEqual, kGreater, kGreaterOrEqual, kNot, kKinds
};

struct Step {
  int32_t kind, a, b, c;  // numbers of the values that it reads
};

#define MYCELIUM_LOOP(expression)               \
  _Pragma("GCC ivdep") for (int64_t i = 0; i < count; ++i) { \
    const float x = a[i], y = b[i], z = c[i];   \
    (void)x, (void)y, (void)z;                  \
    to[i] = (expression);                       \
  }                                             \
  return;

MYCELIUM_EACH_PROCESSOR
void take_step(int32_t kind, int64_t count, const float* a, const float* b, const float* c, float* to) {
  switch (kind) {
    case kAdd: MYCELIUM_LOOP(x + y)
    case kSubtract: MYCELIUM_LOOP(x - y)
    case kMultiply: MYCELIUM_LOOP(x * y)
    case kDivide: MYCELIUM_LOOP(x / y)
    case kMaximum: MYCELIUM_LOOP(x != x || x > y ? x : y)  // not a number stays that
    case kMinimum: MYCELIUM_LOOP(x != x || x < y ? x : y)
    case kSquareRoot: MYCELIUM_LOOP(__builtin_sqrtf(x))
    case kReciprocalRoot: MYCELIUM_LOOP(1.0f / __builtin_sqrtf(x))
    case kNegate: MYCELIUM_LOOP(-x)
    case kAbsolute: MYCELIUM_LOOP(__builtin_fabsf(x))
    case kSign: MYCELIUM_LOOP(x > 0 ? 1.0f : x < 0 ? -1.0f : x)
    case kMultiplyAdd: MYCELIUM_LOOP(__builtin_fmaf(x, y, z))
    case kSubtractProduct: MYCELIUM_LOOP(__builtin_fmaf(-x, y, z))
    case kSelect: MYCELIUM_LOOP(x != 0 ? y : z)
    // Truth values are 1 and 0.
    case kEqual: MYCELIUM_LOOP(x == y ? 1.0f : 0.0f)
    case kUnequal: MYCELIUM_LOOP(x != y ? 1.0f : 0.0f)
    case kLess: MYCELIUM_LOOP(x < y ? 1.0f : 0.0f)
    case kLessOrEqual: MYCELIUM_LOOP(x <= y ? 1.0f : 0.0f)
    case kGreater: MYCELIUM_LOOP(x > y ? 1.0f : 0.0f)
    case kGreaterOrEqual: MYCELIUM_LOOP(x >= y ? 1.0f : 0.0f)
    case kNot: MYCELIUM_LOOP(1.0f - x)
  }
}

// An operand: an array of the results' size, truth values as many, or one number for all of them.
struct Value {
  const float* array;
  float number;
  const bool* truths = nullptr;

  bool is_one() const { return array == nullptr && truths == nullptr; }
};

struct Program {
  std::vector<Value> given;  // operands, then constants
  std::vector<Step> steps;
  std::vector<int32_t> results;  // numbers of values
  std::vector<float*> into;
  std::vector<int32_t> rooms;  // where each step's value lies; below 0 it is a result, written where that belongs
  int32_t room_count = 0;

  int64_t known() const { return static_cast<int64_t>(given.size()); }

  // Steps share the rooms of values that nothing reads any more: few of them stay in the first cache.
  void share_rooms() {
    std::vector<int64_t> last(given.size() + steps.size(), -1);
    const int64_t count = static_cast<int64_t>(steps.size());
    for (int64_t s = 0; s < count; ++s) last[steps[s].a] = last[steps[s].b] = last[steps[s].c] = s;
    rooms.assign(steps.size(), 0);
    for (size_t r = 0; r < results.size(); ++r)
      if (results[r] >= known() && !read_later(results[r], into[r], last)) rooms[results[r] - known()] = -1 - static_cast<int32_t>(r);
    for (const int32_t value : results) last[value] = count;  // what is not written at once is kept to the end
    std::vector<int32_t> free;
    for (int64_t s = 0; s < count; ++s) {
      if (rooms[s] >= 0) {
        if (free.empty()) free.push_back(room_count++);
        rooms[s] = free.back();
        free.pop_back();
      }
      const int32_t read[3] = {steps[s].a, steps[s].b, steps[s].c};
      for (int i = 0; i < 3; ++i) {
        const int64_t made = read[i] - known();
        const bool again = (i > 0 && read[i] == read[0]) || (i > 1 && read[i] == read[1]);
        if (made >= 0 && rooms[made] >= 0 && last[read[i]] == s && !again) free.push_back(rooms[made]);
      }
      if (last[known() + s] < 0 && rooms[s] >= 0) free.push_back(rooms[s]);  // nothing reads it
    }
  }

 private:
  // Whether a step behind the one that makes this value reads an operand that lies where the value is to be written.
  bool read_later(int32_t value, const float* place, const std::vector<int64_t>& last) const {
    for (size_t v = 0; v < given.size(); ++v)
      if (given[v].array == place && last[v] > value - known()) return true;
    int times = 0;  // one value for two results is copied
    for (const int32_t result : results) times += result == value;
    return times > 1;
  }
};

void run_piece(const Program& program, int64_t start, int64_t end) {
  static thread_local Scratch scratch;
  const int64_t known = program.known(), values = known + static_cast<int64_t>(program.steps.size());
  float* memory = scratch.floats((program.room_count + known) * kBlock);
  float* numbers = memory + program.room_count * kBlock;
  const float* at[kMostValues];
  for (int64_t v = 0; v < known; ++v)
    if (program.given[v].is_one())
      at[v] = std::fill_n(numbers + v * kBlock, std::min(kBlock, end - start), program.given[v].number), at[v] = numbers + v * kBlock;
  for (int64_t place = start; place < end; place += kBlock) {
    const int64_t count = std::min(kBlock, end - place);
    for (int64_t v = 0; v < known; ++v)
      if (program.given[v].array != nullptr) {
        at[v] = program.given[v].array + place;
        // The processor does not see by itself that several arrays are read a block at a time.
        for (int64_t i = count; i < std::min(2 * kBlock, end - place); i += 16) __builtin_prefetch(at[v] + i);
      } else if (program.given[v].truths != nullptr) {
        at[v] = std::copy_n(program.given[v].truths + place, count, numbers + v * kBlock) - count;
      }
    for (int64_t s = 0; known + s < values; ++s) {
      const Step& step = program.steps[s];
      const int32_t room = program.rooms[s];
      float* to = room < 0 ? program.into[-1 - room] + place : memory + room * kBlock;
      take_step(step.kind, count, at[step.a], at[step.b], at[step.c], to);
      at[known + s] = to;
    }
    for (size_t r = 0; r < program.results.size(); ++r) {
      float* to = program.into[r] + place;
      if (at[program.results[r]] != to) std::memmove(to, at[program.results[r]], count * sizeof(float));
    }
  }
}

int64_t count_of(Sizes sizes) {
  int64_t found = 1;
  for (const int64_t size : sizes) found *= size;
  return found;
}

Value value_of(const ffi::AnyBuffer& operand, int64_t count) {
  const int64_t own = count_of(operand.dimensions());
  if (own != count && own != 1) throw Misfit("an operand must have one element or " + std::to_string(count) + ", but got " + std::to_string(own));
  switch (operand.element_type()) {
    case ffi::F32: {
      const float* data = static_cast<const float*>(operand.untyped_data());
      return own == count && count != 1 ? Value{data, 0} : Value{nullptr, *data};
    }
    case ffi::PRED:
      if (own == 1) return {nullptr, *static_cast<const bool*>(operand.untyped_data()) ? 1.0f : 0.0f};
      return {nullptr, 0, static_cast<const bool*>(operand.untyped_data())};
    default: throw Misfit("operands must be float32, or truth values");
  }
}

ffi::Error elementwise(ffi::ThreadPool pool, ffi::RemainingArgs operands, ffi::RemainingRets results, ffi::Span<const int32_t> steps,
                       ffi::Span<const float> constants, ffi::Span<const int32_t> returned) {
  return guarded("mycelium_elementwise", [&] {
    if (results.size() < 1 || returned.size() != results.size()) throw Misfit("each result must have the number of its value");
    if (steps.size() % 4 != 0 || operands.size() + constants.size() + steps.size() / 4 > kMostValues)
      throw Misfit("there must be fewer than 1024 values, and four numbers for each step");
    Program program;
    const int64_t count = count_of((*results.get<ffi::AnyBuffer>(0))->dimensions());
    for (size_t i = 0; i < results.size(); ++i) {
      auto result = *results.get<ffi::AnyBuffer>(i);
      if (result->element_type() != ffi::F32 || count_of(result->dimensions()) != count)
        throw Misfit("results must be float32, all of one size");
      program.into.push_back(static_cast<float*>(result->untyped_data()));
    }
    for (size_t i = 0; i < operands.size(); ++i) program.given.push_back(value_of(*operands.get<ffi::AnyBuffer>(i), count));
    for (const float number : constants) program.given.push_back({nullptr, number});
    // A step that chooses, by one number for all, is the value that it chooses.
    std::vector<int32_t> found(operands.size() + constants.size());
    for (size_t v = 0; v < found.size(); ++v) found[v] = static_cast<int32_t>(v);
    for (size_t s = 0; s < steps.size(); s += 4) {
      demand_between("kind of a step", steps[s], 0, kKinds - 1);
      for (int i = 1; i < 4; ++i) demand_between("value of a step", steps[s + i], 0, static_cast<int64_t>(found.size()) - 1);
      const Step step{steps[s], found[steps[s + 1]], found[steps[s + 2]], found[steps[s + 3]]};
      if (step.kind == kSelect && step.a < program.known() && program.given[step.a].is_one()) {
        found.push_back(program.given[step.a].number != 0 ? step.b : step.c);
      } else {
        found.push_back(static_cast<int32_t>(program.given.size() + program.steps.size()));
        program.steps.push_back(step);
      }
    }
    for (const int32_t value : returned) {
      demand_between("value of a result", value, 0, static_cast<int64_t>(found.size()) - 1);
      program.results.push_back(found[value]);
    }
    program.share_rooms();
    Threads(&pool).run((count + kPiece - 1) / kPiece, static_cast<double>(count) * program.steps.size(), [&](int64_t piece) {
      run_piece(program, piece * kPiece, std::min(count, (piece + 1) * kPiece));
    });
  });
}

}  // namespace
}  // namespace mycelium

XLA_FFI_DEFINE_HANDLER_SYMBOL(mycelium_elementwise, mycelium::elementwise,
                              mycelium::ffi::Ffi::Bind()
                                  .Ctx<mycelium::ffi::ThreadPool>()
                                  .RemainingArgs()
                                  .RemainingRets()
                                  .Attr<mycelium::ffi::Span<const int32_t>>("steps")
                                  .Attr<mycelium::ffi::Span<const float>>("constants")
                                  .Attr<mycelium::ffi::Span<const int32_t>>("results"));
