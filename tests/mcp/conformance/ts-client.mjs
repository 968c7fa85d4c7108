/**
 * An official TypeScript client as a process: `node ts-client.mjs sdk|client URL`.
 *
 * Commands are JSON lines on stdin, `{id, tool, arguments}`, each answered by one on stdout: `{id, revision, result}` or
 * `{id, error: {code, message}}`. A first line `{"ready": true, revision, tools}` says that it is connected.
 */
import { createInterface } from "node:readline";

const [, , line, url] = process.argv;
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

/** Version 1 of the SDK, which most programs have, or version 2, which speaks the newest revision. */
async function connect() {
  const info = { name: `aagm-test-${line}`, version: "1.0.0" };
  if (line === "sdk") {
    const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
    const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
    const client = new Client(info);
    const transport = new StreamableHTTPClientTransport(new URL(url));
    await client.connect(transport);
    return { client, revision: transport.protocolVersion };
  }
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const client = new Client(info, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return { client, revision: client.getNegotiatedProtocolVersion() };
}

const { client, revision } = await connect();
const { tools } = await client.listTools();
say({ ready: true, revision, tools: tools.map(({ name }) => name) });

for await (const text of createInterface({ input: process.stdin })) {
  const { id, tool, arguments: given } = JSON.parse(text);
  client.callTool({ name: tool, arguments: given }).then(
    (result) => say({ id, result }),
    ({ code, message }) => say({ id, error: { code, message } }),
  );
}
await client.close();
process.exit(0);
