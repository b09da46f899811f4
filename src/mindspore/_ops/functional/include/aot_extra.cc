// Attributes, workspace and inferred shapes of AOT libraries, for custom_library.py. It is compiled beside a library that
// wants them, with the library's own custom_aot_extra.h where there is one.
#include <map>
#include <stdexcept>

#include "custom_aot_extra.h"
#include "ms_extension/type_id.h"

namespace {
struct Value {
  std::vector<std::vector<double>> numbers;   // rows
  std::vector<std::vector<int64_t>> integers;  // the same, exactly
  std::string text;
};

class Extra : public AotExtra {
 public:
  bool HasAttr(std::string name) override { return values.count(name) != 0; }
  std::map<std::string, Value> values;
  std::vector<std::vector<int64_t>> shapes;  // as inferred
  std::vector<mindspore::TypeId> types;

 private:
  const Value &Get(const std::string &name) {
    auto found = values.find(name);
    if (found == values.end()) throw std::out_of_range("there is no attribute '" + name + "'");
    return found->second;
  }
  template <typename T>
  std::vector<std::vector<T>> Rows(const std::string &name) {
    std::vector<std::vector<T>> rows;
    for (const auto &row : Get(name).numbers) rows.emplace_back(row.begin(), row.end());
    return rows;
  }
  bool GetAttrBool(std::string name) override { return Get(name).integers.at(0).at(0) != 0; }
  int64_t GetAttrInt(std::string name) override { return Get(name).integers.at(0).at(0); }
  float GetAttrFloat(std::string name) override { return static_cast<float>(Get(name).numbers.at(0).at(0)); }
  std::string GetAttrStr(std::string name) override { return Get(name).text; }
  std::vector<int64_t> GetAttrIntVec(std::string name) override { return Get(name).integers.at(0); }
  std::vector<float> GetAttrFloatVec(std::string name) override { return Rows<float>(name).at(0); }
  std::vector<std::vector<int64_t>> GetAttrInt2DVec(std::string name) override { return Get(name).integers; }
  std::vector<std::vector<float>> GetAttrFloat2DVec(std::string name) override { return Rows<float>(name); }
};

std::string failure;  // of the last call

template <typename F>
int Guarded(F function) {
  try {
    return function();
  } catch (const std::exception &error) {
    failure = error.what();
    return -1;
  }
}
}  // namespace

extern "C" {
void *mycelium_aot_new() { return static_cast<AotExtra *>(new Extra()); }
const char *mycelium_aot_failure() { return failure.c_str(); }

void mycelium_aot_text(void *extra, const char *name, const char *text) {
  static_cast<Extra *>(static_cast<AotExtra *>(extra))->values[name].text = text;
}
void mycelium_aot_row(void *extra, const char *name, const double *numbers, const int64_t *integers, int64_t count) {
  auto &value = static_cast<Extra *>(static_cast<AotExtra *>(extra))->values[name];
  value.numbers.emplace_back(numbers, numbers + count);
  value.integers.emplace_back(integers, integers + count);
}
int mycelium_aot_init(void *function, int *ndims, int64_t **shapes, const char **dtypes, void *extra) {
  auto init = reinterpret_cast<int (*)(int *, int64_t **, const char **, AotExtra *)>(function);
  return Guarded([&] { return init(ndims, shapes, dtypes, static_cast<AotExtra *>(extra)); });
}
int mycelium_aot_workspace(void *extra, int64_t *sizes, int most) {
  const auto &wanted = static_cast<AotExtra *>(extra)->WorkSpace();
  for (int i = 0; i < most && i < static_cast<int>(wanted.size()); i++) sizes[i] = static_cast<int64_t>(wanted[i]);
  return static_cast<int>(wanted.size());
}
// Returns how many outputs there are; the shapes are asked for one by one.
int mycelium_aot_infer(void *function, int several, int *ndims, int64_t **shapes, void *extra) {
  auto *own = static_cast<Extra *>(static_cast<AotExtra *>(extra));
  return Guarded([&] {
    if (several) {
      using Infer = std::vector<std::vector<int64_t>> (*)(int *, int64_t **, AotExtra *);
      own->shapes = reinterpret_cast<Infer>(function)(ndims, shapes, own);
    } else {
      using Infer = std::vector<int64_t> (*)(int *, int64_t **, AotExtra *);
      own->shapes = {reinterpret_cast<Infer>(function)(ndims, shapes, own)};
    }
    return static_cast<int>(own->shapes.size());
  });
}
int mycelium_aot_infer_types(void *function, int several, int count, const char **dtypes, void *extra) {
  using mindspore::TypeId;
  auto *own = static_cast<Extra *>(static_cast<AotExtra *>(extra));
  return Guarded([&] {
    std::vector<TypeId> given;
    for (int i = 0; i < count; i++) given.push_back(mindspore::TypeIdOf(dtypes[i]));
    if (several) {
      own->types = reinterpret_cast<std::vector<TypeId> (*)(std::vector<TypeId>, AotExtra *)>(function)(given, own);
    } else {
      own->types = {reinterpret_cast<TypeId (*)(std::vector<TypeId>, AotExtra *)>(function)(given, own)};
    }
    for (TypeId type : own->types) mindspore::DescriptionOf(type);
    return static_cast<int>(own->types.size());
  });
}
const char *mycelium_aot_type(void *extra, int output) {
  return mindspore::DescriptionOf(static_cast<Extra *>(static_cast<AotExtra *>(extra))->types.at(output)).name;
}
int mycelium_aot_shape(void *extra, int output, int64_t *sizes, int most) {
  const auto &shape = static_cast<Extra *>(static_cast<AotExtra *>(extra))->shapes.at(output);
  for (int i = 0; i < most && i < static_cast<int>(shape.size()); i++) sizes[i] = shape[i];
  return static_cast<int>(shape.size());
}
}
