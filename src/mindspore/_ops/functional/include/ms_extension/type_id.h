// Numbers of dtypes, as MindSpore counts them.
#pragma once
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace mindspore {
enum TypeId : int {
  kTypeUnknown = 0,
  kNumberTypeBegin = 29,
  kNumberTypeBool,
  kNumberTypeInt,
  kNumberTypeInt8,
  kNumberTypeInt16,
  kNumberTypeInt32,
  kNumberTypeInt64,
  kNumberTypeUInt,
  kNumberTypeUInt8,
  kNumberTypeUInt16,
  kNumberTypeUInt32,
  kNumberTypeUInt64,
  kNumberTypeFloat,
  kNumberTypeFloat16,
  kNumberTypeFloat32,
  kNumberTypeFloat64,
  kNumberTypeBFloat16,
  kNumberTypeFloat8E4M3FN,
  kNumberTypeFloat8E5M2,
  kNumberTypeHiFloat8,
  kNumberTypeDouble,
  kNumberTypeComplex,
  kNumberTypeComplex64,
  kNumberTypeComplex128,
  kNumberTypeInt4,
  kNumberTypeGLUInt,
  kNumberTypeEnd,
};

struct TypeDescription {
  TypeId id;
  const char *name;  // NumPy's
  size_t size;       // bytes
};

inline constexpr TypeDescription kTypes[] = {
    {kNumberTypeBool, "bool", 1},           {kNumberTypeInt8, "int8", 1},
    {kNumberTypeInt16, "int16", 2},         {kNumberTypeInt32, "int32", 4},
    {kNumberTypeInt64, "int64", 8},         {kNumberTypeUInt8, "uint8", 1},
    {kNumberTypeUInt16, "uint16", 2},       {kNumberTypeUInt32, "uint32", 4},
    {kNumberTypeUInt64, "uint64", 8},       {kNumberTypeFloat16, "float16", 2},
    {kNumberTypeFloat32, "float32", 4},     {kNumberTypeFloat64, "float64", 8},
    {kNumberTypeBFloat16, "bfloat16", 2},   {kNumberTypeComplex64, "complex64", 8},
    {kNumberTypeComplex128, "complex128", 16},
    {kNumberTypeInt, "int32", 4},           {kNumberTypeUInt, "uint32", 4},
    {kNumberTypeFloat, "float32", 4},       {kNumberTypeDouble, "float64", 8},
    {kNumberTypeComplex, "complex64", 8},
};

inline const TypeDescription &DescriptionOf(TypeId id) {
  for (const auto &type : kTypes) {
    if (type.id == id) return type;
  }
  throw std::invalid_argument("no Tensor can have the TypeId " + std::to_string(static_cast<int>(id)));
}

inline TypeId TypeIdOf(const std::string &name) {
  for (const auto &type : kTypes) {
    if (name == type.name) return type.id;
  }
  throw std::invalid_argument("there is no TypeId for " + name);
}
}  // namespace mindspore
