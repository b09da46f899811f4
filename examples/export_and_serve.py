"""From a trained network to a service: export it to files, load it without its class, predict in batches, answer requests.

You learn `export` (MINDIR for `load`, ONNX for other runtimes), `nn.GraphCell`, and how little a server needs: this one is
Python's own `http.server`. With `--smoke` the program asks its server one question and ends.

    python examples/export_and_serve.py [--smoke] [--port N]
    curl --data '[[[[0, 0, ...]]]]' http://127.0.0.1:8000   # a JSON list of images, 1 x 32 x 32
"""

import importlib.util
import json
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

import numpy as np
from digits import create_dataset, options, prepare
from networks.lenet import LeNet5

import mindspore as ms
from mindspore import Model, Tensor, nn


def export(arguments):
    """Train, and write the network with its weights; returns the MINDIR file."""
    network = LeNet5()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    Model(network, loss, nn.Adam(network.trainable_params(), 3e-3)).train(arguments.epochs, create_dataset(arguments))
    served = nn.SequentialCell(network, nn.Softmax())
    served.set_train(False)  # what is exported is the network as it is set
    images = Tensor(shape=[None, 1, 32, 32], dtype=ms.float32)  # None: any number of images
    file = str(arguments.output / "digits.mindir")
    ms.export(served, images, file_name=file, file_format="MINDIR")
    written = ["digits.mindir"]
    if importlib.util.find_spec("onnx"):  # pip install mycelium[onnx]
        ms.export(served, images, file_name=str(arguments.output / "digits"), file_format="ONNX")
        written.append("digits.onnx")
    print("exported:", written)
    return file


class Reader:
    """An exported network that reads digits. Batches are filled up: each size would be compiled anew."""

    def __init__(self, file, batch=64):
        self.network = nn.GraphCell(ms.load(file))
        self.batch = batch

    def predict(self, images):
        """The digit and its probability, for every image."""
        if images.ndim != 4 or images.shape[1:] != (1, 32, 32) or not len(images):
            raise ValueError(f"Images must be a list of 1 x 32 x 32 numbers each, but got the shape {images.shape}.")
        found = []
        for start in range(0, len(images), self.batch):
            part = images[start : start + self.batch]
            filled = np.zeros((self.batch, *part.shape[1:]), np.float32)
            filled[: len(part)] = part
            found.append(self.network(Tensor(filled)).asnumpy()[: len(part)])
        found = np.concatenate(found)
        return found.argmax(1), found.max(1)


def make_server(reader, port):
    """One process, one network, one request after the other."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            try:
                images = np.array(json.loads(self.rfile.read(int(self.headers["Content-Length"]))), np.float32)
                digits, probabilities = reader.predict(images)
                status, answer = 200, {"digits": digits.tolist(), "probabilities": probabilities.round(3).tolist()}
            except (KeyError, TypeError, ValueError) as error:
                status, answer = 400, {"error": str(error)}
            body = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments):
            pass

    return HTTPServer(("127.0.0.1", port), Handler)


def ask(port, images):
    request = urllib.request.Request(f"http://127.0.0.1:{port}", json.dumps(images.tolist()).encode())
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.loads(answer.read())


def main():
    parser = options(__doc__, epochs=3)
    parser.add_argument("--port", type=int, default=8000)
    arguments = parser.parse_args()
    prepare(arguments)
    reader = Reader(export(arguments))

    batches = list(create_dataset(arguments, "test").create_tuple_iterator(num_epochs=1, output_numpy=True))
    images, labels = (np.concatenate(column) for column in zip(*batches))
    digits, _ = reader.predict(images)
    print(f"predicted {len(images)} images in batches of {reader.batch}: {(digits == labels).mean():.1%} right")

    server = make_server(reader, 0 if arguments.smoke else arguments.port)
    if not arguments.smoke:
        print(f"serving at http://127.0.0.1:{server.server_port}, until Ctrl-C")
        server.serve_forever()
    threading.Thread(target=server.handle_request).start()
    answer = ask(server.server_port, images[:5])
    print("the server says", answer["digits"], "and the file says", digits[:5].tolist())
    server.server_close()


if __name__ == "__main__":
    main()
