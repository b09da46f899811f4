// ms::pynative::PyboostRunner: an operator as a class, which says how much workspace it needs and computes.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ms_extension/binding.h"

namespace ms::pynative {
class PyboostRunner : public std::enable_shared_from_this<PyboostRunner> {
 public:
  explicit PyboostRunner(const std::string &op_name) : op_name_(op_name) {}
  virtual ~PyboostRunner() = default;

  // Runs the function and gives its Tensors to Python: one, or a tuple of OUT_NUM.
  template <int OUT_NUM, typename FuncType, typename... Args>
  static py::object Call(FuncType func, Args &&...args) {
    return ms::ToObject(func(std::forward<Args>(args)...));
  }

  void Run(const std::vector<Tensor> &inputs, const std::vector<Tensor> &outputs) {
    inputs_ = inputs;
    outputs_ = outputs;
    workspace_.resize(CalcWorkspace());
    LaunchKernel();
  }
  const std::string &op_name() const { return op_name_; }
  const std::vector<Tensor> &inputs() const { return inputs_; }
  const std::vector<Tensor> &outputs() const { return outputs_; }
  uint32_t stream_id() const { return 0; }
  void *stream() { return nullptr; }
  void *workspace_ptr() { return workspace_.data(); }

 protected:
  virtual size_t CalcWorkspace() { return 0; }
  virtual void LaunchKernel() = 0;

 private:
  std::string op_name_;
  std::vector<Tensor> inputs_, outputs_;
  std::vector<char> workspace_;
};
}  // namespace ms::pynative
