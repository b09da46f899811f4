// What libraries for mindspore.ops.Custom(func_type="aot") include to read attributes, ask for workspace and keep data of
// their own between calls. The order of the virtual functions and members is MindSpore's: libraries compiled with its
// header fit.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "ms_extension/type_id.h"

using mindspore::TypeId;  // of <name>InferType

class AotKernelData {
 public:
  virtual ~AotKernelData() = default;
};

class AotExtra {
 public:
  virtual ~AotExtra() = default;
  virtual bool HasAttr(std::string name) = 0;

  // One of the types below; the name must be one that CustomRegOp.attr or add_prim_attr gave.
  template <typename T>
  T Attr(std::string name);

  void SetWorkSpace(const std::vector<size_t> &sizes) { workspace_ = sizes; }  // bytes
  const std::vector<size_t> &WorkSpace() const { return workspace_; }
  void SetKernelData(AotKernelData *data) { kernel_data_ = data; }
  AotKernelData *KernelData() const { return kernel_data_; }
  void DestructKernelData() {
    delete kernel_data_;
    kernel_data_ = nullptr;
  }

 private:
  virtual bool GetAttrBool(std::string name) = 0;
  virtual int64_t GetAttrInt(std::string name) = 0;
  virtual float GetAttrFloat(std::string name) = 0;
  virtual std::string GetAttrStr(std::string name) = 0;
  virtual std::vector<int64_t> GetAttrIntVec(std::string name) = 0;
  virtual std::vector<float> GetAttrFloatVec(std::string name) = 0;
  virtual std::vector<std::vector<int64_t>> GetAttrInt2DVec(std::string name) = 0;
  virtual std::vector<std::vector<float>> GetAttrFloat2DVec(std::string name) = 0;

  std::vector<size_t> workspace_;
  AotKernelData *kernel_data_ = nullptr;
};

#define MS_AOT_ATTRIBUTE(Type, Get) \
  template <>                       \
  inline Type AotExtra::Attr(std::string name) { return Get(name); }
MS_AOT_ATTRIBUTE(bool, GetAttrBool)
MS_AOT_ATTRIBUTE(int64_t, GetAttrInt)
MS_AOT_ATTRIBUTE(float, GetAttrFloat)
MS_AOT_ATTRIBUTE(std::string, GetAttrStr)
MS_AOT_ATTRIBUTE(std::vector<int64_t>, GetAttrIntVec)
MS_AOT_ATTRIBUTE(std::vector<float>, GetAttrFloatVec)
MS_AOT_ATTRIBUTE(std::vector<std::vector<int64_t>>, GetAttrInt2DVec)
MS_AOT_ATTRIBUTE(std::vector<std::vector<float>>, GetAttrFloat2DVec)
#undef MS_AOT_ATTRIBUTE
