// Drives `overdub dap` by the client that the makers of the protocol test debug adapters with: breakpoints, stepping both
// ways, variables, expressions, data breakpoints, a program that loops for ever, failures.
//
//     node session.js OVERDUB [PORT]

const assert = require('assert');
const path = require('path');
const { DebugClient } = require('@vscode/debugadapter-testsupport');

const [overdub, port] = process.argv.slice(2);
const source = path.join(__dirname, '..', 'programs', 'walk.rs');
const thread = { threadId: 1 };

const stories = {
  async 'a breakpoint on a line is hit, and the value is printed at the end'(client) {
    await client.hitBreakpoint(launch('walk', [3, 2.0]), { path: source, line: 16 });
    const { stackFrames, totalFrames } = (await client.stackTraceRequest(thread)).body;
    assert.deepStrictEqual([stackFrames[0].name, stackFrames[0].line, totalFrames], ['walk', 16, 1]);
    await client.setBreakpointsRequest({ source: { path: source }, breakpoints: [] });
    await Promise.all([
      client.continueRequest(thread),
      client.assertOutput('stdout', 'step 0\nstep 1\nstep 2\n{"value":13.2111025509279'),
      client.waitForEvent('exited').then((event) => assert.strictEqual(event.body.exitCode, 0)),
      client.waitForEvent('terminated'),
    ]);
  },

  async 'a line without code binds to the next one'(client) {
    const at = { path: source, line: 14, verified: true };
    await client.hitBreakpoint(launch('walk', [3, 2.0]), { path: source, line: 14 }, { line: 15 }, { ...at, line: 15 });
  },

  async 'steps go over, in, out and back'(client) {
    await stop_on_entry(client, 'walk', [2, 2.0]);
    await step(client, 'next', 13);
    await step(client, 'stepBack', 12);
    await client.setBreakpointsRequest({ source: { path: source }, breakpoints: [{ line: 21 }] });
    await Promise.all([client.continueRequest(thread), client.assertStoppedLocation('breakpoint', { line: 21 })]);
    await step(client, 'stepIn', 7);
    const frames = (await client.stackTraceRequest(thread)).body.stackFrames;
    assert.deepStrictEqual(frames.map((frame) => [frame.name, frame.line]), [['norm', 7], ['walk', 21]]);
    await step(client, 'stepOut', 21);
    await client.setBreakpointsRequest({ source: { path: source }, breakpoints: [{ line: 16 }] });
    await Promise.all([client.reverseContinueRequest(thread), client.assertStoppedLocation('breakpoint', { line: 16 })]);
    assert.strictEqual((await value(client, 'i')).result, '1');
  },

  async 'variables are trees, can be changed, and expressions see them'(client) {
    await client.hitBreakpoint(launch('walk', [3, 2.0]), { path: source, line: 20 });
    const [locals, args] = await scopes(client);
    assert.strictEqual(args.n.value, '3');
    assert.strictEqual(locals.xs.value, '[0.0, 2.0, 4.0]');
    const fields = await children(client, locals.p.variablesReference);
    assert.deepStrictEqual([fields.x.value, fields.y.value], ['6.0', '4.0']);
    const change = { variablesReference: locals.p.variablesReference, name: 'x', value: 'scale + 1.0' };
    assert.strictEqual((await client.setVariableRequest(change)).body.value, '3.0');
    assert.strictEqual((await value(client, 'norm(&p) * 2.0')).result, '10.0');
    await Promise.all([client.continueRequest(thread), client.assertOutput('stdout', '{"value":8.0}')]);
  },

  async 'conditions, counts of hits and logpoints'(client) {
    const lines = [
      { line: 16, condition: 'i == 2' },
      { line: 17, hitCondition: '% 4 == 0' },
      { line: 18, logMessage: 'i = {i}, xs[i] = {xs[i]}' },
    ];
    await Promise.all([
      client.waitForEvent('initialized')
        .then(() => client.setBreakpointsRequest({ source: { path: source }, breakpoints: lines }))
        .then(() => client.configurationDoneRequest()),
      client.launch(launch('walk', [5, 2.0])),
      client.assertStoppedLocation('breakpoint', { line: 16 }),
      client.assertOutput('console', 'i = 0, xs[i] = 0.0\ni = 1, xs[i] = 2.0'),
    ]);
    assert.strictEqual((await value(client, 'i')).result, '2');
    await Promise.all([
      client.continueRequest(thread),
      client.assertStoppedLocation('breakpoint', { line: 17 }),
      client.assertOutput('console', 'i = 2, xs[i] = 4.0'),
    ]);
    assert.strictEqual((await value(client, 'i')).result, '3');
  },

  async 'a data breakpoint stops where an element changes'(client) {
    await client.hitBreakpoint(launch('walk', [3, 2.0]), { path: source, line: 15 });
    const [locals] = await scopes(client);
    const asked = { variablesReference: locals.xs.variablesReference, name: '[2]' };
    const info = (await client.dataBreakpointInfoRequest(asked)).body;
    assert.strictEqual(info.description, 'xs[2] in walk');
    await client.setBreakpointsRequest({ source: { path: source }, breakpoints: [] });
    await client.setDataBreakpointsRequest({ breakpoints: [{ dataId: info.dataId }] });
    const [, event] = await Promise.all([client.continueRequest(thread), client.waitForEvent('stopped')]);
    assert.deepStrictEqual([event.body.reason, event.body.text], ['data breakpoint', 'from 0.0 to 4.0']);
  },

  async 'a program that loops for ever can be paused, looked at and left'(client) {
    await Promise.all([client.configurationSequence(), client.launch(launch('forever', []))]);
    assert.strictEqual((await client.threadsRequest()).body.threads.length, 1);
    await assert.rejects(client.stackTraceRequest(thread), /running/);
    await Promise.all([client.pauseRequest(thread), client.waitForEvent('stopped')]);
    assert.ok(Number((await value(client, 'i')).result) > 0);
    await client.continueRequest(thread);
  },

  async 'failures and NaNs stop the run, with what made them'(client) {
    await Promise.all([
      client.waitForEvent('initialized')
        .then(() => client.setExceptionBreakpointsRequest({ filters: ['failure', 'nan'] }))
        .then(() => client.configurationDoneRequest()),
      client.launch(launch('not_a_number', [1.0])),
      client.assertStoppedLocation('exception', { line: 39 }),
    ]);
    const info = (await client.exceptionInfoRequest(thread)).body;
    assert.deepStrictEqual([info.exceptionId, info.description], ['NaN', 'div(0.0, 0.0) = NaN']);
  },

  async 'an index out of bounds stops before the program ends with it'(client) {
    await Promise.all([
      client.configurationSequence(),
      client.launch(launch('beyond', [5])),
      client.assertStoppedLocation('exception', { line: 34 }),
    ]);
    const info = (await client.exceptionInfoRequest(thread)).body;
    assert.strictEqual(info.exceptionId, 'Bounds');
    await step(client, 'stepBack', 33);
    await Promise.all([
      client.continueRequest(thread),
      client.waitForEvent('stopped').then(() => client.continueRequest(thread)),
      client.waitForEvent('exited').then((event) => assert.strictEqual(event.body.exitCode, 1)),
    ]);
  },

  async 'the representation of a function is listed with its lines'(client) {
    await client.hitBreakpoint(launch('walk', [3, 2.0]), { path: source, line: 16 });
    const [frame] = (await client.stackTraceRequest(thread)).body.stackFrames;
    const asked = { memoryReference: frame.instructionPointerReference, instructionOffset: -3, instructionCount: 6 };
    const { instructions } = (await client.disassembleRequest(asked)).body;
    assert.strictEqual(instructions.length, 6);
    assert.strictEqual(instructions[3].address, frame.instructionPointerReference);
    assert.strictEqual(instructions[3].line, 16);
  },
};

function launch(name, args, more) {
  return { source, function: name, args, ...more };
}

async function stop_on_entry(client, name, args) {
  await Promise.all([
    client.configurationSequence(),
    client.launch(launch(name, args, { stopOnEntry: true })),
    client.waitForEvent('stopped').then((event) => assert.strictEqual(event.body.reason, 'entry')),
  ]);
}

async function step(client, request, line) {
  await Promise.all([client[`${request}Request`](thread), client.assertStoppedLocation('step', { line })]);
}

async function value(client, expression) {
  const [frame] = (await client.stackTraceRequest(thread)).body.stackFrames;
  return (await client.evaluateRequest({ expression, frameId: frame.id, context: 'watch' })).body;
}

async function children(client, variablesReference) {
  const { variables } = (await client.variablesRequest({ variablesReference })).body;
  return Object.fromEntries(variables.map((variable) => [variable.name, variable]));
}

async function scopes(client) {
  const [frame] = (await client.stackTraceRequest(thread)).body.stackFrames;
  const { scopes } = (await client.scopesRequest({ frameId: frame.id })).body;
  return Promise.all(scopes.map((scope) => children(client, scope.variablesReference)));
}

async function main() {
  let failed = 0;
  for (const [name, story] of Object.entries(stories)) {
    const client = new DebugClient(overdub, 'dap', 'overdub');
    client.defaultTimeout = 20000;
    try {
      await client.start(port && Number(port));
      await story(client);
      console.log(`ok      ${name}`);
    } catch (error) {
      failed += 1;
      console.log(`FAILED  ${name}\n${error.stack ?? error}`);
    } finally {
      await client.stop().catch(() => {});
    }
  }
  console.log(`${Object.keys(stories).length - failed} of ${Object.keys(stories).length} stories`);
  process.exit(failed > 0 ? 1 : 0);
}

main();
