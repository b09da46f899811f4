// Walking several operands of one shape together.
#pragma once

#include "program.h"

namespace mycelium {

// A shape whose neighbouring axes are merged where the strides of every operand allow it. The last axis is the inner one.
class Walk {
 public:
  Walk(Sizes shape, std::vector<Sizes> strides) : operands_(static_cast<int>(strides.size())) {
    Sizes kept;
    std::vector<Sizes> kept_strides(strides.size());
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      empty_ = empty_ || shape[axis] == 0;
      if (shape[axis] == 1) continue;
      bool joins = !kept.empty();
      for (size_t i = 0; joins && i < strides.size(); ++i) joins = kept_strides[i].back() == strides[i][axis] * shape[axis];
      if (joins) {
        kept.back() *= shape[axis];
        for (size_t i = 0; i < strides.size(); ++i) kept_strides[i].back() = strides[i][axis];
      } else {
        kept.push_back(shape[axis]);
        for (size_t i = 0; i < strides.size(); ++i) kept_strides[i].push_back(strides[i][axis]);
      }
    }
    count_ = kept.empty() ? 1 : kept.back();
    for (size_t i = 0; i < strides.size(); ++i) inner_[i] = kept.empty() ? 0 : kept_strides[i].back();
    if (!kept.empty()) kept.pop_back();
    outer_ = kept;
    for (size_t i = 0; i < strides.size(); ++i) {
      if (!kept_strides[i].empty()) kept_strides[i].pop_back();
      outer_strides_.push_back(kept_strides[i]);
    }
  }

  npy_intp count() const { return count_; }
  npy_intp count(npy_intp open) const { return count_ < 0 ? open : count_; }  // of an axis of -1
  const npy_intp* inner() const { return inner_; }
  bool empty() const { return empty_; }

  // Calls body(pointers) for each line along the inner axis.
  template <typename Body>
  void each(char* const* begin, Body body) const {
    if (empty_) return;
    char* at[kMaxInstructionOperands];
    for (int i = 0; i < operands_; ++i) at[i] = begin[i];
    if (outer_.empty()) return body(at);
    npy_intp index[kMaxAxes] = {};
    const int last = static_cast<int>(outer_.size()) - 1;
    while (true) {
      body(at);
      int axis = last;
      while (true) {
        for (int i = 0; i < operands_; ++i) at[i] += outer_strides_[i][axis];
        if (++index[axis] < outer_[axis]) break;
        for (int i = 0; i < operands_; ++i) at[i] -= outer_strides_[i][axis] * outer_[axis];
        index[axis] = 0;
        if (--axis < 0) return;
      }
    }
  }

 private:
  int operands_;
  bool empty_ = false;
  npy_intp count_ = 1;
  npy_intp inner_[kMaxInstructionOperands] = {};
  Sizes outer_;
  std::vector<Sizes> outer_strides_;
};

}  // namespace mycelium
