// An example: each test starts with the empty tables of schema.cql.

import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { after, afterEach, before, test } from 'node:test';

import { start } from '../index.js';

let server;

before(async () => {
  server = await start({ init: [fileURLToPath(new URL('schema.cql', import.meta.url))] });
  await server.takeSnapshot('empty');
});
afterEach(() => server.reset('empty'));
after(() => server.stop());

const insert = (using = '') =>
  server.client.execute(`INSERT INTO shop.carts (customer, items) VALUES ('helen', 3) ${using}`);
const count = async () => (await server.client.execute('SELECT * FROM shop.carts')).rowLength;

for (const run of [1, 2]) {
  test(`each test starts anew, ${run}`, async () => {
    assert.equal(await count(), 0);
    await insert();
    assert.equal(await count(), 1);
  });
}

test('carts expire', async () => {
  await insert('USING TTL 86400');
  await server.advanceClock(23 * 3600_000);
  assert.equal(await count(), 1);
  await server.advanceClock(2 * 3600_000);
  assert.equal(await count(), 0);
});

test('time can stand still', async () => {
  await server.setClock(new Date('2030-01-01'), true);
  assert.equal((await server.now()).getTime(), Date.parse('2030-01-01'));
});

test('a write that times out', async () => {
  await server.addFault('timeout', { table_name: 'carts', statement: 'write', applied: true, write_type: 'SIMPLE' });
  await assert.rejects(insert(), { code: 0x1100 });
  await server.clearFaults();
  assert.equal(await count(), 1);
});
