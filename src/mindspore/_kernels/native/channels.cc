// Sums over all pixels of every channel. Each part of the pixels is summed in blocks, blocks in double precision: the
// result neither depends on the threads and their number nor suffers from the number of pixels.
#include "pooling.h"

namespace mycelium {
namespace {

constexpr int64_t kBlock = 64;  // pixels summed in single precision

// For every channel: the sums over all pixels of f(pixel) and g(pixel), where `pair(pixel, channel, lanes)` gives both.
template <class PairOf>
void sum_pairs(int64_t pixels, int64_t channels, const PairOf& pair, double* first, double* second, const Threads& threads) {
  const int64_t parts = parts_of_sum(8.0 * pixels * channels, pixels);
  std::vector<double> totals(2 * parts * channels);
  threads.run(parts, 8.0 * pixels * channels, [&](int64_t part) {
    double* own = &totals[2 * part * channels];
    const int64_t last = pixels * (part + 1) / parts;
    for (int64_t start = pixels * part / parts; start < last; start += kBlock) {
      const int64_t end = std::min(start + kBlock, last);
      for (int64_t channel = 0; channel < channels; channel += kWidth) {
        const int64_t lanes = std::min<int64_t>(kWidth, channels - channel);
        Vector a[2] = {}, b[2] = {};  // two of each: an addition waits for the one before it
        for (int64_t pixel = start; pixel < end; ++pixel) pair(pixel, channel, lanes, a[pixel & 1], b[pixel & 1]);
        a[0] += a[1], b[0] += b[1];
        for (int64_t lane = 0; lane < lanes; ++lane) {
          own[channel + lane] += a[0][lane];
          own[channels + channel + lane] += b[0][lane];
        }
      }
    }
  });
  for (int64_t channel = 0; channel < channels; ++channel) {
    first[channel] = second[channel] = 0;
    for (int64_t part = 0; part < parts; ++part) {
      first[channel] += totals[2 * part * channels + channel];
      second[channel] += totals[(2 * part + 1) * channels + channel];
    }
  }
}

}  // namespace

// Distances are taken from the first pixel, which keeps a small variance exact beside a large mean.
void channel_moments(int64_t pixels, int64_t channels, const float* x, float* mean, float* variance, const Threads& threads) {
  std::vector<double> sums(2 * channels);
  const auto distances = [=](int64_t pixel, int64_t channel, int64_t lanes, Vector& a, Vector& b) {
    const Vector distance = load_part(x + pixel * channels + channel, lanes) - load_part(x + channel, lanes);
    a += distance;
    b += distance * distance;
  };
  sum_pairs(pixels, channels, distances, sums.data(), sums.data() + channels, threads);
  for (int64_t channel = 0; channel < channels; ++channel) {
    const double shift = sums[channel] / pixels;
    mean[channel] = x[channel] + shift;
    const double found = sums[channels + channel] / pixels - shift * shift;
    variance[channel] = found < 0 ? 0 : found;  // a NaN stays one
  }
}

void channel_sums(int64_t pixels, int64_t channels, const float* x, const float* centre, const float* t, float* sums,
                  float* products, const Threads& threads) {
  std::vector<double> found(2 * channels);
  const auto parts = [=](int64_t pixel, int64_t channel, int64_t lanes, Vector& a, Vector& b) {
    const Vector value = load_part(t + pixel * channels + channel, lanes);
    a += value;
    b += value * (load_part(x + pixel * channels + channel, lanes) - load_part(centre + channel, lanes));
  };
  sum_pairs(pixels, channels, parts, found.data(), found.data() + channels, threads);
  for (int64_t channel = 0; channel < channels; ++channel) {
    sums[channel] = found[channel];
    products[channel] = found[channels + channel];
  }
}

}  // namespace mycelium
