// A caching allocator for XLA's CPU buffers. XLA calls posix_memalign and free for the buffers of every execution; glibc
// serves large ones by mmap, so the kernel faults in and clears 4 KB pages again at each call: a tenth of a training step.
// Blocks of 128 KB and more are cached here instead: calls of single operators, too, have results of megabytes. Cached plus used
// bytes exceed the peak of used bytes by an eighth at most: without that room, temporary blocks of a forward pass would push out
// what the backward pass needs, and that in turn what the next forward pass needs. (Huge pages gain nothing beyond that, and
// the first ones may be slow to obtain on a virtual machine.)
//
// XLA reports results as ready a moment before it frees the temporary buffer of the execution. The next execution would then
// allocate a second one: hundreds of megabytes more for good. So an allocation of a size that is in use waits that moment, much
// shorter than it takes to fault in the pages of a new block.
//
// XLA's CPU client takes no allocator, so we overwrite two GOT entries of libjax_common.so: posix_memalign and free. If the
// GOT is read-only (RELRO) or the relocation tables are not the expected ones, nothing is changed. docs/design/kernels.md
// compares this with mallopt.
#if defined(__linux__) && defined(__LP64__)
#include <elf.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace mycelium {
namespace {

constexpr size_t kLarge = size_t{128} << 10;
constexpr size_t kWorthWaiting = size_t{32} << 20;
constexpr size_t kRoom = 8;  // a fraction of the peak
constexpr size_t kPage = size_t{8} << 10;  // malloc's own bytes and the alignment at most

class Kept {
 public:
  // The smallest cached block that fits (best fit, at most a quarter wasted), or null: then allocate and call taken().
  void* take(size_t alignment, size_t size) {
    std::unique_lock<std::mutex> hold(lock_);
    size_t best = fitting(alignment, size);
    if (best == pieces_.size() && size >= kWorthWaiting && twin_in_use(size)) {
      const auto patience = std::chrono::microseconds(size >> 13);  // half of what faulting the pages in takes
      freed_.wait_for(hold, patience, [&] { return (best = fitting(alignment, size)) != pieces_.size(); });
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
  // Cache a block that was allocated through us; false for any other, which the caller frees.
  bool give(void* memory) {
    std::lock_guard<std::mutex> hold(lock_);
    const auto found = in_use_.find(memory);
    if (found == in_use_.end()) return false;
    pieces_.push_back({memory, found->second});
    used_ -= found->second, kept_ += found->second;
    in_use_.erase(found);
    shrink(0);
    freed_.notify_all();
    return true;
  }
  // Free all cached blocks and start a new peak.
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
  // The index of the smallest cached block that fits, or the number of blocks.
  size_t fitting(size_t alignment, size_t size) const {
    size_t best = pieces_.size();
    for (size_t i = 0; i < pieces_.size(); ++i) {
      const Piece& piece = pieces_[i];
      const bool fits = piece.size >= size && piece.size - size <= size / 4 && reinterpret_cast<uintptr_t>(piece.memory) % alignment == 0;
      if (fits && (best == pieces_.size() || piece.size < pieces_[best].size)) best = i;
    }
    return best;
  }
  // Whether a block of this size is in use: perhaps the temporary buffer of the same executable, about to be freed.
  bool twin_in_use(size_t size) const {
    return std::any_of(in_use_.begin(), in_use_.end(),
                       [&](const auto& block) { return block.second >= size && block.second - size < kPage; });
  }
  void note(void* memory, size_t size) {
    size_t& known = in_use_[memory];
    used_ += size - known;  // nonzero if code outside libjax_common.so freed the block and malloc reused its address
    known = size;
    most_ = std::max(most_, used_);
  }
  // Free the oldest cached blocks while used, wanted and cached bytes together exceed the peak of used bytes and the room beyond it.
  void shrink(size_t wanted) {
    size_t count = 0;
    for (; count < pieces_.size() && used_ + wanted + kept_ > most_ + most_ / kRoom; ++count) {
      kept_ -= pieces_[count].size;
      std::free(pieces_[count].memory);
    }
    pieces_.erase(pieces_.begin(), pieces_.begin() + count);
  }

  std::mutex lock_;
  std::condition_variable freed_;
  std::vector<Piece> pieces_;  // cached blocks, oldest first
  std::unordered_map<void*, size_t> in_use_;
  size_t used_ = 0, kept_ = 0, most_ = 0;
};

Kept& kept() {
  static Kept* const all = [] {
    pthread_atfork([] { kept().lock().lock(); }, [] { kept().lock().unlock(); }, [] { kept().lock().unlock(); });
    return new Kept;  // leaked: free() is called until the process ends
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

// From a loaded library's dynamic section, whose addresses the loader has relocated already.
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

// Whether an address lies in a writable segment; a GOT that was made read-only after relocation (RELRO) is left alone.
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

// A function's GOT entry, found by its PLT relocation; null if there is none or it is read-only.
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

// We overwrite two GOT entries of libjax_common.so; `free` first: a block from allocate() must never reach libc directly.
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

// Install the allocator; 1 if both GOT entries were overwritten.
extern "C" int mycelium_keep_memory() {
  int done = 0;
  dl_iterate_phdr(mycelium::redirect, &done);
  return done;
}
// Free all cached blocks.
extern "C" void mycelium_release_memory() { mycelium::kept().release(); }
#else
extern "C" int mycelium_keep_memory() { return 0; }
extern "C" void mycelium_release_memory() {}
#endif
