// Whole recurrent layers: all steps of a sequence in one call, instead of a loop of small programs.
#pragma once

#include "parallel.h"

namespace mycelium {

enum class Cell { kTanh, kReLU, kGru, kLstm };

constexpr int64_t gates_of(Cell cell) { return cell == Cell::kLstm ? 4 : cell == Cell::kGru ? 3 : 1; }

// `kept` says whether the gradient's needs are written; `lengths` has a number of steps for every sequence.
struct Recurrence {
  Cell cell;
  bool reverse, kept;
  int64_t steps, batch, hidden;
  int64_t gates() const { return gates_of(cell) * hidden; }
  double operations() const { return 2.0 * steps * batch * gates() * hidden; }
};

// The inputs' shares are (steps, batch, gates), the weights (gates, hidden).
// `opened` are the gates behind their activations; `extra` is what else the gradient needs, twice (steps, batch, hidden):
// an LSTM's memory before the step and its tanh after it, a GRU's share for the new state and old minus new state.
struct RecurrentForward {
  const float *shares, *h, *c, *lengths, *weights, *bias;
  float *outputs, *last_h, *last_c, *opened, *extra;
};
void recur(const Recurrence& shape, const RecurrentForward& on, const Threads& threads);

// From the gradients of outputs and last states to those of the shares of inputs and of hidden states (which differ for a
// GRU only) and of the first states.
struct RecurrentBackward {
  const float *opened, *extra, *lengths, *weights, *outputs, *last_h, *last_c;
  float *shares, *hidden_shares, *h, *c;
};
void recur_back(const Recurrence& shape, const RecurrentBackward& on, const Threads& threads);

}  // namespace mycelium
