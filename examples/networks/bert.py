"""A BERT-like encoder with a head that predicts masked words."""

import math

import numpy as np

import mindspore.common.dtype as mstype
import mindspore.nn as nn
from mindspore import Parameter, Tensor
from mindspore.common.initializer import TruncatedNormal, initializer
from mindspore.ops import functional as F
from mindspore.ops import operations as P


class BertConfig:
    """Sizes of the network."""

    def __init__(self, vocab_size=128, hidden_size=32, num_layers=2, num_heads=4, seq_length=16, dropout=0.0):
        self.vocab_size = vocab_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.num_heads = num_heads
        self.seq_length = seq_length
        self.dropout = dropout
        self.type_vocab_size = 2
        self.initializer_range = 0.02


class EmbeddingPostprocessor(nn.Cell):
    """Adds token types and positions to word embeddings."""

    def __init__(self, config):
        super().__init__()
        weight = TruncatedNormal(config.initializer_range)
        self.token_type_embedding = nn.Embedding(config.type_vocab_size, config.hidden_size, embedding_table=weight)
        self.full_position_embedding = nn.Embedding(config.seq_length, config.hidden_size, embedding_table=weight)
        self.position_ids = Tensor(np.arange(config.seq_length).reshape(1, -1).astype(np.int32))
        self.layernorm = nn.LayerNorm((config.hidden_size,))
        self.dropout = nn.Dropout(p=config.dropout)
        self.add = P.Add()

    def construct(self, token_type_ids, word_embeddings):
        output = self.add(word_embeddings, self.token_type_embedding(token_type_ids))
        output = self.add(output, self.full_position_embedding(self.position_ids))
        return self.dropout(self.layernorm(output))


class BertSelfAttention(nn.Cell):
    """Multi-head attention with a mask over padding."""

    def __init__(self, config):
        super().__init__()
        self.heads = config.num_heads
        self.size_per_head = config.hidden_size // config.num_heads
        weight = TruncatedNormal(config.initializer_range)
        self.query_layer = nn.Dense(config.hidden_size, config.hidden_size, weight_init=weight)
        self.key_layer = nn.Dense(config.hidden_size, config.hidden_size, weight_init=weight)
        self.value_layer = nn.Dense(config.hidden_size, config.hidden_size, weight_init=weight)
        self.matmul_trans_b = P.BatchMatMul(transpose_b=True)
        self.matmul = P.BatchMatMul()
        self.transpose = P.Transpose()
        self.reshape = P.Reshape()
        self.softmax = nn.Softmax()
        self.scores_mul = 1.0 / math.sqrt(float(self.size_per_head))
        self.multiply_data = Tensor([-10000.0], mstype.float32)

    def split_heads(self, x, batch, length):
        return self.transpose(self.reshape(x, (batch, length, self.heads, self.size_per_head)), (0, 2, 1, 3))

    def construct(self, x, attention_mask):
        batch, length, width = F.shape(x)
        query = self.split_heads(self.query_layer(x), batch, length)
        key = self.split_heads(self.key_layer(x), batch, length)
        value = self.split_heads(self.value_layer(x), batch, length)
        scores = self.matmul_trans_b(query, key) * self.scores_mul
        mask = P.ExpandDims()(attention_mask, 1)
        scores = scores + (1.0 - mask) * self.multiply_data
        context = self.matmul(self.softmax(scores), value)
        return self.reshape(self.transpose(context, (0, 2, 1, 3)), (batch, length, width))


class BertEncoderCell(nn.Cell):
    """Attention and a feed-forward network, each with a residual connection."""

    def __init__(self, config):
        super().__init__()
        weight = TruncatedNormal(config.initializer_range)
        width = config.hidden_size
        self.attention = BertSelfAttention(config)
        self.attention_output = nn.Dense(width, width, weight_init=weight)
        self.intermediate = nn.Dense(width, 4 * width, activation="gelu", weight_init=weight)
        self.output = nn.Dense(4 * width, width, weight_init=weight)
        self.layernorm1 = nn.LayerNorm((width,))
        self.layernorm2 = nn.LayerNorm((width,))
        self.dropout = nn.Dropout(p=config.dropout)

    def construct(self, hidden_states, attention_mask):
        attention = self.attention_output(self.attention(hidden_states, attention_mask))
        hidden_states = self.layernorm1(hidden_states + self.dropout(attention))
        output = self.output(self.intermediate(hidden_states))
        return self.layernorm2(hidden_states + self.dropout(output))


class BertModel(nn.Cell):
    """Embeddings and a stack of encoder cells."""

    def __init__(self, config):
        super().__init__()
        weight = TruncatedNormal(config.initializer_range)
        self.bert_embedding_lookup = nn.Embedding(config.vocab_size, config.hidden_size, embedding_table=weight)
        self.bert_embedding_postprocessor = EmbeddingPostprocessor(config)
        self.layers = nn.CellList([BertEncoderCell(config) for _ in range(config.num_layers)])

    def construct(self, input_ids, token_type_ids, input_mask):
        words = self.bert_embedding_lookup(input_ids)
        hidden = self.bert_embedding_postprocessor(token_type_ids, words)
        mask = P.Cast()(P.ExpandDims()(input_mask, 1), mstype.float32)
        for layer in self.layers:
            hidden = layer(hidden, mask)
        return hidden


class BertMaskedLanguageModel(nn.Cell):
    """The mean loss of the words to be guessed."""

    def __init__(self, config):
        super().__init__()
        self.bert = BertModel(config)
        self.dense = nn.Dense(config.hidden_size, config.hidden_size, activation="gelu")
        self.layernorm = nn.LayerNorm((config.hidden_size,))
        self.output_bias = Parameter(initializer("zero", [config.vocab_size]), name="output_bias")
        self.matmul = P.MatMul(transpose_b=True)
        self.loss = nn.CrossEntropyLoss()

    def construct(self, input_ids, token_type_ids, input_mask, label_ids):
        hidden = self.layernorm(self.dense(self.bert(input_ids, token_type_ids, input_mask)))
        table = self.bert.bert_embedding_lookup.embedding_table
        logits = self.matmul(hidden.reshape((-1, hidden.shape[-1])), table) + self.output_bias
        return self.loss(logits, label_ids.reshape((-1,)))
