// TFRecord files and tf.train.Example messages in the form in which all libraries write them. Whatever else there is makes a
// function say so (a negative result), and Python reads it, slower, with words for what is wrong.

#include <cstdint>
#include <cstring>

namespace {

constexpr uint8_t kFirst = 0x0A, kSecond = 0x12;  // keys of the fields 1 and 2 that hold bytes
constexpr int kLongestLength = 5;                 // bytes of a length
constexpr int kLongestInteger = 10;               // bytes of a number
constexpr int64_t kHead = 12, kTail = 4;          // bytes around the data of a record
constexpr int64_t kUnusual = -1;

// A part of a message, never read beyond its end.
struct Span {
  const uint8_t* at;
  const uint8_t* end;

  int64_t size() const { return end - at; }

  bool key(uint8_t expected) {
    if (at >= end || *at != expected) return false;
    ++at;
    return true;
  }

  // A length, and the part of that length behind it.
  bool part(Span* found) {
    uint64_t length = 0;
    for (int index = 0; index < kLongestLength; ++index) {
      if (at >= end) return false;
      const uint8_t byte = *at++;
      length |= uint64_t(byte & 0x7F) << (7 * index);
      if (byte < 0x80) {
        if (length > uint64_t(end - at)) return false;
        *found = Span{at, at + length};
        at += length;
        return true;
      }
    }
    return false;
  }
};

struct Feature {
  Span name;
  int64_t kind;
  Span values;  // of the one field of its list
};

// An entry of the map: key, then value; the value is one list, the list one field of bytes.
bool read_feature(Span entry, Feature* found) {
  Span value, list;
  if (!entry.key(kFirst) || !entry.part(&found->name)) return false;
  if (!entry.key(kSecond) || !entry.part(&value) || entry.size()) return false;
  if (!value.size() || (*value.at & 7) != 2) return false;
  found->kind = *value.at++ >> 3;
  if (!value.part(&list) || value.size()) return false;
  return list.key(kFirst) && list.part(&found->values) && !list.size();
}

bool is_ascii(Span text) {
  for (; text.at < text.end; ++text.at)
    if (*text.at >= 0x80) return false;
  return true;
}

}  // namespace

extern "C" {

// First byte of the data of each record and the byte behind it; how many records there are. Without `found` they are counted.
int64_t mycelium_tf_records(const uint8_t* data, int64_t size, int64_t* found) {
  int64_t count = 0;
  for (int64_t offset = 0; offset < size; ++count) {
    if (size - offset < kHead + kTail) return kUnusual;
    uint64_t length;
    std::memcpy(&length, data + offset, sizeof length);
    if (length > uint64_t(size - offset - kHead - kTail)) return kUnusual;
    const int64_t start = offset + kHead, stop = start + int64_t(length);
    if (found) found[2 * count] = start, found[2 * count + 1] = stop;
    offset = stop + kTail;
  }
  return count;
}

// For each of the named features (rows of the results) and each record: its kind, and where the bytes of its list stand.
int64_t mycelium_tf_features(const uint8_t* const* records, const int64_t* sizes, int64_t count, const char* const* names,
                             const int64_t* name_sizes, int64_t columns, int64_t* kinds, const uint8_t** starts,
                             int64_t* lengths) {
  for (int64_t row = 0; row < count; ++row) {
    Span message{records[row], records[row] + sizes[row]}, features, entry;
    if (!message.key(kFirst) || !message.part(&features) || message.size()) return kUnusual;
    for (int64_t column = 0; column < columns; ++column) starts[column * count + row] = nullptr;
    int64_t expected = 0;  // features mostly come in one order
    while (features.size()) {
      Feature feature;
      if (!features.key(kFirst) || !features.part(&entry) || !read_feature(entry, &feature)) return kUnusual;
      if (!is_ascii(feature.name)) return kUnusual;
      for (int64_t tried = 0; tried < columns; ++tried) {
        const int64_t column = (expected + tried) % columns;
        if (name_sizes[column] != feature.name.size()) continue;
        if (std::memcmp(names[column], feature.name.at, size_t(name_sizes[column])) != 0) continue;
        const int64_t place = column * count + row;
        kinds[place] = feature.kind;
        starts[place] = feature.values.at;
        lengths[place] = feature.values.size();
        expected = column + 1;
        break;
      }
    }
    for (int64_t column = 0; column < columns; ++column)
      if (!starts[column * count + row]) return kUnusual;
  }
  return 0;
}

// How many integers each list holds, and all lists together.
int64_t mycelium_tf_count(const uint8_t* const* starts, const int64_t* lengths, int64_t count, int64_t* counts) {
  int64_t total = 0;
  for (int64_t row = 0; row < count; ++row) {
    int64_t own = 0;
    for (int64_t index = 0; index < lengths[row]; ++index) own += starts[row][index] < 0x80;
    if (lengths[row] && starts[row][lengths[row] - 1] >= 0x80) return kUnusual;  // the last one does not end
    counts[row] = own;
    total += own;
  }
  return total;
}

// The integers of all lists, behind each other.
int64_t mycelium_tf_integers(const uint8_t* const* starts, const int64_t* lengths, int64_t count, int64_t* values) {
  for (int64_t row = 0; row < count; ++row) {
    const uint8_t* at = starts[row];
    const uint8_t* end = at + lengths[row];
    while (at < end) {
      uint64_t value = *at & 0x7F;
      if (*at++ >= 0x80) {
        int shift = 7;
        do {
          if (at >= end || shift >= 7 * kLongestInteger) return kUnusual;
          value |= uint64_t(*at & 0x7F) << shift;
          shift += 7;
        } while (*at++ >= 0x80);
      }
      *values++ = int64_t(value);
    }
  }
  return 0;
}

// The bytes of all lists, behind each other.
void mycelium_tf_bytes(const uint8_t* const* starts, const int64_t* lengths, int64_t count, uint8_t* bytes) {
  for (int64_t row = 0; row < count; ++row) {
    std::memcpy(bytes, starts[row], size_t(lengths[row]));
    bytes += lengths[row];
  }
}

}  // extern "C"
