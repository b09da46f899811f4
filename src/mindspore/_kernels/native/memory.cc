// The memory of XLA's programs. XLA asks the system for it at every call and gives it back afterwards; the system hands out
// cleared pages of 4 KB, one by one as they are touched: a tenth of a training step. Here large pieces are kept for the next
// call. What is kept and what is in use are together never more than what was in use at one time before. (Pages of 2 MB are
// no help beyond that, and the first ones may come slowly where the system is a guest on a larger one.)
//
// XLA has no way to be given memory, so its calls of posix_memalign and free are led here: two entries of the table through
// which its library calls others. Where that table looks different from what is expected, nothing is changed.
#if defined(__linux__) && defined(__LP64__)
#include <elf.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace mycelium {
namespace {

constexpr size_t kLarge = size_t{4} << 20;

class Kept {
 public:
  // A piece for so many bytes, or null. Whoever gets null asks the system, and tells what came of it.
  void* take(size_t alignment, size_t size) {
    std::lock_guard<std::mutex> hold(lock_);
    size_t best = pieces_.size();
    for (size_t i = 0; i < pieces_.size(); ++i) {
      const Piece& piece = pieces_[i];
      const bool fits = piece.size >= size && piece.size - size <= size / 4 && reinterpret_cast<uintptr_t>(piece.memory) % alignment == 0;
      if (fits && (best == pieces_.size() || piece.size < pieces_[best].size)) best = i;
    }
    if (best == pieces_.size()) {
      shrink(size);
      return nullptr;
    }
    const Piece found = pieces_[best];
    pieces_.erase(pieces_.begin() + best);
    kept_ -= found.size;
    note(found.memory, found.size);
    return found.memory;
  }
  void taken(void* memory, size_t size) {
    std::lock_guard<std::mutex> hold(lock_);
    note(memory, size);
  }
  // Whether the piece is kept: only what was handed out here is.
  bool give(void* memory) {
    std::lock_guard<std::mutex> hold(lock_);
    const auto found = in_use_.find(memory);
    if (found == in_use_.end()) return false;
    pieces_.push_back({memory, found->second});
    used_ -= found->second, kept_ += found->second;
    in_use_.erase(found);
    shrink(0);
    return true;
  }
  void release() {
    std::lock_guard<std::mutex> hold(lock_);
    most_ = used_;
    shrink(0);
  }
  std::mutex& lock() { return lock_; }

 private:
  struct Piece {
    void* memory;
    size_t size;
  };
  void note(void* memory, size_t size) {
    size_t& known = in_use_[memory];
    used_ += size - known;  // known already where somebody else gave the piece back
    known = size;
    most_ = std::max(most_, used_);
  }
  // The oldest ones go where all together would be more than ever was in use.
  void shrink(size_t wanted) {
    size_t count = 0;
    for (; count < pieces_.size() && used_ + wanted + kept_ > most_; ++count) {
      kept_ -= pieces_[count].size;
      std::free(pieces_[count].memory);
    }
    pieces_.erase(pieces_.begin(), pieces_.begin() + count);
  }

  std::mutex lock_;
  std::vector<Piece> pieces_;  // the oldest first
  std::unordered_map<void*, size_t> in_use_;
  size_t used_ = 0, kept_ = 0, most_ = 0;
};

Kept& kept() {
  static Kept* const all = [] {
    pthread_atfork([] { kept().lock().lock(); }, [] { kept().lock().unlock(); }, [] { kept().lock().unlock(); });
    return new Kept;  // never destroyed: memory is given back to the end
  }();
  return *all;
}

int allocate(void** memory, size_t alignment, size_t size) {
  if (size < kLarge) return posix_memalign(memory, alignment, size);
  if (void* found = kept().take(alignment, size)) {
    *memory = found;
    return 0;
  }
  int failure = posix_memalign(memory, alignment, size);
  if (failure == ENOMEM) {
    kept().release();
    failure = posix_memalign(memory, alignment, size);
  }
  if (failure == 0) kept().taken(*memory, malloc_usable_size(*memory));
  return failure;
}

void deallocate(void* memory) {
  const bool large = memory != nullptr && malloc_usable_size(memory) >= kLarge;
  if (!large || !kept().give(memory)) std::free(memory);
}

// What the dynamic section of a loaded library says; addresses in it are absolute already.
struct Tables {
  const Elf64_Sym* symbols = nullptr;
  const char* names = nullptr;
  const Elf64_Rela* calls = nullptr;
  size_t count = 0;
};

Tables tables_of(const dl_phdr_info& library) {
  Tables found;
  for (int i = 0; i < library.dlpi_phnum; ++i) {
    if (library.dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    auto entry = reinterpret_cast<const Elf64_Dyn*>(library.dlpi_addr + library.dlpi_phdr[i].p_vaddr);
    for (; entry->d_tag != DT_NULL; ++entry) {
      const auto address = entry->d_un.d_ptr;
      if (entry->d_tag == DT_SYMTAB) found.symbols = reinterpret_cast<const Elf64_Sym*>(address);
      if (entry->d_tag == DT_STRTAB) found.names = reinterpret_cast<const char*>(address);
      if (entry->d_tag == DT_JMPREL) found.calls = reinterpret_cast<const Elf64_Rela*>(address);
      if (entry->d_tag == DT_PLTRELSZ) found.count = entry->d_un.d_val / sizeof(Elf64_Rela);
      if (entry->d_tag == DT_PLTREL && entry->d_un.d_val != DT_RELA) return {};
    }
  }
  return found;
}

// Whether an address lies in a part of the library that may be written; a table that was locked after loading is left alone.
bool writable(const dl_phdr_info& library, uintptr_t address) {
  bool may = false;
  for (int i = 0; i < library.dlpi_phnum; ++i) {
    const auto& part = library.dlpi_phdr[i];
    const uintptr_t start = library.dlpi_addr + part.p_vaddr;
    if (address < start || address >= start + part.p_memsz) continue;
    if (part.p_type == PT_GNU_RELRO) return false;
    if (part.p_type == PT_LOAD && (part.p_flags & PF_W) != 0) may = true;
  }
  return may;
}

bool ends_with(const char* text, const char* end) {
  const size_t length = std::strlen(text), tail = std::strlen(end);
  return length >= tail && std::strcmp(text + length - tail, end) == 0;
}

// The entry of a function in a library's table, or null.
std::atomic<uintptr_t>* entry_of(const dl_phdr_info& library, const char* function) {
  const Tables tables = tables_of(library);
  if (tables.symbols == nullptr || tables.names == nullptr || tables.calls == nullptr) return nullptr;
  for (size_t i = 0; i < tables.count; ++i) {
    const Elf64_Rela& call = tables.calls[i];
    const uintptr_t place = library.dlpi_addr + call.r_offset;
    if (std::strcmp(tables.names + tables.symbols[ELF64_R_SYM(call.r_info)].st_name, function) == 0)
      return writable(library, place) ? reinterpret_cast<std::atomic<uintptr_t>*>(place) : nullptr;
  }
  return nullptr;
}

int redirect(dl_phdr_info* library, size_t, void* done) {
  if (!ends_with(library->dlpi_name, "/libjax_common.so")) return 0;
  auto* const asking = entry_of(*library, "posix_memalign");
  auto* const giving = entry_of(*library, "free");
  if (asking == nullptr || giving == nullptr) return 1;
  giving->store(reinterpret_cast<uintptr_t>(&deallocate));
  asking->store(reinterpret_cast<uintptr_t>(&allocate));
  *static_cast<int*>(done) = 1;
  return 1;
}

}  // namespace

}  // namespace mycelium

// Whether XLA's memory is kept here from now on.
extern "C" int mycelium_keep_memory() {
  int done = 0;
  dl_iterate_phdr(mycelium::redirect, &done);
  return done;
}
// Gives back to the system what is not in use.
extern "C" void mycelium_release_memory() { mycelium::kept().release(); }
#else
extern "C" int mycelium_keep_memory() { return 0; }
extern "C" void mycelium_release_memory() {}
#endif
