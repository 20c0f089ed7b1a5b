"""A model that is no model: it answers chat completions with the calls that a real one would make here.

    python3 fake_model.py        prints the address that it listens at
"""

import http.server
import json


def answer(messages, tools):
    """The next message: search, open what was found, then report."""
    names = {tool["function"]["name"] for tool in tools}
    results = [message for message in messages if message["role"] == "tool"]
    if not results:
        assert "prints_search" in names, names
        return call("prints_search", {"query": "map"})
    if len(results) == 1:
        first = json.loads(results[0]["content"])["results"][0]
        return call("basket_add", {"id": first["id"]})
    basket = json.loads(results[1]["content"])
    return {"role": "assistant", "content": f"The basket has {basket['copies']} print for {basket['total']}."}


def call(name, arguments):
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": f"call_{name}", "type": "function", "function": function}]}


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body = json.dumps({"choices": [{"message": answer(asked["messages"], asked["tools"])}]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(f"http://127.0.0.1:{server.server_port}/v1/chat/completions", flush=True)
    server.serve_forever()
