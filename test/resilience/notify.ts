/** Sends JSON to a local server's own routes. */
export async function notify(method: string, url: string, body: object): Promise<void> {
  const reply = await fetch(url, {
    method,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', connection: 'close' },
  });
  if (!reply.ok) throw new Error(`${method} ${url}: ${reply.status} ${await reply.text()}`);
}
