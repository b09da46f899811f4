// Products of matrices.
#include <algorithm>

#include "instructions.h"
#include "small_product.h"

namespace mycelium {
namespace {

// Places step along batch..., rows, columns.
class Product : public Instruction {
 public:
  Product(Loop loop, bool floats, const Sizes& batch, const Sizes& sizes, std::vector<StridedView> views)
      : loop_(loop), floats_(floats), sizes_(sizes), views_(std::move(views)), walk_(batch, batch_strides(views_)) {
    for (const StridedView& view : views_) matrix_.insert(matrix_.end(), view.strides.end() - 2, view.strides.end());
    const npy_intp* m = matrix_.data();
    constexpr npy_intp size = sizeof(float);
    small_ = {sizes_[0], sizes_[1], sizes_[2], m[0] / size, m[1] / size, m[2] / size, m[3] / size, m[4] / size};
  }
  bool run(char* const* memory, npy_intp) const override {
    char* begin[] = {views_[0].in(memory), views_[1].in(memory), views_[2].in(memory)};
    if (floats_) {
      const npy_intp* inner = walk_.inner();
      walk_.each(begin, [&](char** at) {
        for (npy_intp i = 0; i < walk_.count(); ++i)
          multiply(small_, reinterpret_cast<const float*>(at[0] + i * inner[0]), reinterpret_cast<const float*>(at[1] + i * inner[1]),
                   reinterpret_cast<float*>(at[2] + i * inner[2]));
      });
      return true;
    }
    npy_intp dimensions[] = {walk_.count(), sizes_[0], sizes_[1], sizes_[2]};
    npy_intp strides[9];
    std::copy(walk_.inner(), walk_.inner() + 3, strides);
    std::copy(matrix_.begin(), matrix_.end(), strides + 3);
    walk_.each(begin, [&](char** at) {
      char* own[] = {at[0], at[1], at[2]};  // NumPy's loop of products moves the pointers it is given
      loop_.function(own, dimensions, strides, loop_.data);
    });
    return true;
  }

 private:
  static std::vector<Sizes> batch_strides(const std::vector<StridedView>& views) {
    std::vector<Sizes> strides;
    for (const StridedView& view : views) strides.emplace_back(view.strides.begin(), view.strides.end() - 2);
    return strides;
  }
  Loop loop_;
  bool floats_;
  SmallProduct small_;
  Sizes sizes_, matrix_;
  std::vector<StridedView> views_;
  Walk walk_;
};

}  // namespace

InstructionPtr read_product(PyObject* from) {
  PyObject *ufunc, *batch, *sizes, *where;
  const char* types;
  Py_ssize_t count;
  Sizes of_batch, lengths;
  std::vector<StridedView> views;
  Loop loop;
  if (!PyArg_ParseTuple(from, "Os#OOO", &ufunc, &types, &count, &batch, &sizes, &where) || !read_sizes(batch, &of_batch) ||
      !read_sizes(sizes, &lengths) || !read_all(where, &views, read_view) || !loop.find(ufunc, types, count))
    return nullptr;
  if (views.size() != 3 || lengths.size() != 3) {
    PyErr_SetString(PyExc_ValueError, "a product of another kind");
    return nullptr;
  }
  return std::make_unique<Product>(loop, types[0] == 'f', of_batch, lengths, views);
}

}  // namespace mycelium
