"""A sentence classifier: embedding, bidirectional LSTM, dense layer."""

import mindspore.nn as nn
from mindspore.ops import operations as P


class SentimentNet(nn.Cell):
    """Classifies sequences of word numbers."""

    def __init__(self, vocab_size, embed_size, num_hiddens, num_layers=2, bidirectional=True, num_classes=2):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embed_size)
        self.trans = P.Transpose()
        self.perm = (1, 0, 2)
        self.encoder = nn.LSTM(
            input_size=embed_size,
            hidden_size=num_hiddens,
            num_layers=num_layers,
            has_bias=True,
            bidirectional=bidirectional,
            dropout=0.0,
        )
        self.concat = P.Concat(1)
        width = num_hiddens * (4 if bidirectional else 2)
        self.decoder = nn.Dense(width, num_classes)

    def construct(self, inputs):
        embeddings = self.trans(self.embedding(inputs), self.perm)
        output, _ = self.encoder(embeddings)
        encoding = self.concat((output[0], output[-1]))
        return self.decoder(encoding)
