"""The Python SDK with `actions mcp`: list, call, progress, read, confirm, error, in both eras.

    ACTIONS=PROGRAM python client.py MAP
"""

import asyncio
import json
import os
import sys

from mcp import Client, StdioServerParameters, types


async def confirm(_context, _params):
    return types.ElicitResult(action="accept", content={"confirm": True})


async def one(mode: str) -> None:
    server = StdioServerParameters(command=os.environ["ACTIONS"], args=["mcp", sys.argv[1]])
    steps = []

    async def stepped(progress, _total, _message):
        steps.append(progress)

    async with Client(server, mode=mode, elicitation_callback=confirm) as client:
        print(f"speaking {client.protocol_version}", file=sys.stderr)
        tools = await client.list_tools()
        assert any(tool.name == "prints_search" for tool in tools.tools)
        print(f"ok list {mode}")
        found = await client.call_tool("prints_search", {"query": "map"}, progress_callback=stepped)
        assert found.structured_content["total"] == 20, found
        assert len(steps) >= 3 and steps == sorted(steps), steps
        print(f"ok call {mode}")
        wrong = await client.call_tool("prints_search", {"query": 7})
        assert wrong.is_error and wrong.structured_content["error"]["code"] == "invalid_input", wrong
        print(f"ok error {mode}")
        read = await client.read_resource("actions://state/site.basket")
        assert json.loads(read.contents[0].text)["state"]["copies"] == 0
        print(f"ok read {mode}")
        added = await client.call_tool("basket_add", {"id": "print-1"})
        assert added.structured_content["copies"] == 1, added
        print(f"ok confirm {mode}")


async def main() -> None:
    for mode in ["legacy", "auto"]:
        await one(mode)


asyncio.run(main())
