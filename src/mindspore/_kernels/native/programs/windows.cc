// Gathers, scatters and dynamic slices: windows of an array, whose starts are read from index arrays.
#include "instructions.h"

namespace mycelium {
namespace {

// Where windows start along one axis.
struct Start {
  StridedView indices;  // one for every window
  char type;            // of the indices
  npy_intp limit, stride;  // the last start that fits, and the axis' stride

  bool read(char* const* memory, const npy_intp* window, npy_intp* found) const {
    const char* at = indices.in(memory);
    for (size_t axis = 0; axis < indices.strides.size(); ++axis) at += window[axis] * indices.strides[axis];
    int64_t value;
    switch (type) {
      case 'i': value = *reinterpret_cast<const int32_t*>(at); break;
      case 'I': value = *reinterpret_cast<const uint32_t*>(at); break;
      case 'B': value = *reinterpret_cast<const uint8_t*>(at); break;
      default: value = *reinterpret_cast<const int64_t*>(at);
    }
    const bool inside = value >= 0 && value <= limit;
    *found = value < 0 ? 0 : value > limit ? limit : value;
    return inside;
  }
};

class Windows : public Instruction {
 public:
  Windows(CopyLine line, Loop combine, const Sizes& batch, const Sizes& window, std::vector<Start> starts, StridedView from, StridedView to,
          bool into, bool clips, std::vector<char> fill)
      : line_(line), combine_(combine), batch_(batch), starts_(std::move(starts)), from_(from), to_(to), into_(into), clips_(clips),
        fill_(std::move(fill)),
        walk_(window, {Sizes(from.strides.begin() + batch.size(), from.strides.end()),
                       Sizes(to.strides.begin() + batch.size(), to.strides.end())}) {
    for (npy_intp length : batch) empty_ = empty_ || length == 0;
  }
  bool run(char* const* memory, npy_intp) const override {
    if (empty_) return true;
    npy_intp index[kMaxAxes] = {};
    char *from = from_.in(memory), *to = to_.in(memory);
    while (true) {
      one(memory, index, from, to);
      int axis = static_cast<int>(batch_.size()) - 1;
      for (; axis >= 0; --axis) {
        from += from_.strides[axis], to += to_.strides[axis];
        if (++index[axis] < batch_[axis]) break;
        from -= from_.strides[axis] * batch_[axis], to -= to_.strides[axis] * batch_[axis];
        index[axis] = 0;
      }
      if (axis < 0) return true;
    }
  }

 private:
  void one(char* const* memory, const npy_intp* index, char* from, char* to) const {
    bool inside = true;
    npy_intp moved = 0;
    for (const Start& start : starts_) {
      npy_intp found;
      inside = start.read(memory, index, &found) && inside;
      moved += found * start.stride;
    }
    const bool kept = inside || clips_;
    if (into_ && !kept) return;
    char* begin[] = {into_ ? from : from + moved, into_ ? to + moved : to};
    const npy_intp* strides = walk_.inner();
    const npy_intp count = walk_.count();
    walk_.each(begin, [&](char** at) {
      if (!kept) {
        line_(const_cast<char*>(fill_.data()), 0, at[1], strides[1], count);
      } else if (combine_.function == nullptr) {
        line_(at[0], strides[0], at[1], strides[1], count);
      } else {
        char* args[] = {at[1], at[0], at[1]};
        const npy_intp combined[] = {strides[1], strides[0], strides[1]};
        combine_(args, count, combined);
      }
    });
  }

  CopyLine line_;
  Loop combine_;
  Sizes batch_;
  std::vector<Start> starts_;
  StridedView from_, to_;
  bool into_, clips_, empty_ = false;
  std::vector<char> fill_;
  Walk walk_;
};

bool read_start(PyObject* from, Start* into) {
  PyObject* view;
  const char* type;
  if (!PyArg_ParseTuple(from, "Osnn", &view, &type, &into->limit, &into->stride)) return false;
  into->type = type[0];
  return read_view(view, &into->indices);
}

}  // namespace

InstructionPtr read_windows(PyObject* from) {
  PyObject *ufunc, *batch, *window, *starts, *source, *target;
  const char *types, *fill;
  Py_ssize_t count, fill_size;
  int size, into, clips;
  Sizes of_batch, of_window;
  std::vector<Start> read_starts;
  StridedView views[2];
  Loop loop;
  if (!PyArg_ParseTuple(from, "Os#iOOOOOppy#", &ufunc, &types, &count, &size, &batch, &window, &starts, &source, &target, &into,
                        &clips, &fill, &fill_size) ||
      !read_sizes(batch, &of_batch) || !read_sizes(window, &of_window) || !read_all(starts, &read_starts, read_start) ||
      !read_view(source, &views[0]) || !read_view(target, &views[1]))
    return nullptr;
  const CopyLine line = copier(size);
  if (line == nullptr || (ufunc != Py_None && !loop.find(ufunc, types, count))) return nullptr;
  return std::make_unique<Windows>(line, loop, of_batch, of_window, std::move(read_starts), views[0], views[1], into != 0, clips != 0,
                                   std::vector<char>(fill, fill + fill_size));
}

}  // namespace mycelium
