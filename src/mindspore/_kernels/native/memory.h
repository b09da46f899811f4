// Memory in large pages, where the system has them.
#pragma once

#include <cstddef>

namespace mycelium {

// For memory that was not touched yet; the system may or may not follow. Small pieces are left as they are.
void wish_large_pages(void* memory, size_t size);

}  // namespace mycelium
