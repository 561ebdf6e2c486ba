import { expect, test } from 'vitest';
import { lossReport, lossReportWords } from './loss-report.ts';
import type { Provisions } from './provisions.ts';
import type { Story } from '../transcript/story.ts';
import type { Toolbox } from '../transcript/tools.ts';

const noProvisions: Provisions = { servers: [], denied: [], permissions: null, unread: [] };

const tools: Toolbox = {
  own: { run: ['shell'] },
  nameOf: ({ tool }) => tool,
  serverOf: (tool) => (tool.startsWith('mcp__') ? 'lab' : null),
};

const facts = {
  runtime: 'here',
  session: 's',
  version: null,
  model: null,
  folder: null,
  branch: null,
  commit: null,
  startedAt: null,
  title: null,
  parent: null,
  permissions: 'everything',
};

const story: Story = {
  sessions: [
    { facts, omissions: [{ kind: 'image', count: 1, why: 'no text' }], unanswered: [], rewritten: false },
  ],
  steps: [
    {
      id: 1,
      source: 'agent',
      at: null,
      text: '',
      record: 0,
      ref: 1,
      session: 0,
      calls: [
        { id: 'a', tool: 'mcp__lab__ping', args: {} },
        { id: 'b', tool: 'mcp__lab__pong', args: {} },
        { id: 'c', tool: 'Telescope', args: {} },
        { id: 'd', tool: 'run', args: {} },
      ],
    },
  ],
  unread: [{ runtime: 'elsewhere', session: 'x', why: 'No reader.' }],
};

test('all that is lost on the way is one list, and each of it has words', () => {
  const report = lossReport({
    story,
    target: { name: 'there', tools, provisions: noProvisions },
    toolboxOf: () => tools,
    written: [{ kind: 'image', count: 2, why: 'no text' }],
  });
  expect(report).toEqual({
    omissions: [
      { kind: 'image', count: 3, why: 'no text' },
      { kind: 'unread-session', count: 1, why: 'elsewhere x: No reader.' },
    ],
    tools: [{ tool: 'Telescope', runtime: 'here', calls: 1, server: null }],
    servers: ['lab'],
    permissions: { runtime: 'here', said: 'everything', there: null },
    unread: [],
  });
  expect(lossReportWords(report).map(({ what }) => what)).toEqual([
    '3 × image',
    '1 × unread-session',
    'tool Telescope',
    'MCP server lab',
    'permissions of here',
  ]);
});

test('what is set up in the target is not lost, and what its settings take away is', () => {
  const provisions = {
    servers: ['Lab'],
    denied: ['run'],
    permissions: 'ask first',
    unread: ['/home/dev/settings.json'],
  };
  const report = lossReport({
    story: { ...story, unread: [] },
    target: { name: 'there', tools, provisions },
    toolboxOf: () => tools,
    written: null,
  });
  expect(report).toMatchObject({
    servers: [],
    tools: [{ tool: 'Telescope' }, { tool: 'run', denied: true }],
    permissions: { there: 'ask first' },
  });
  expect(lossReportWords(report).slice(1)).toEqual([
    { what: 'tool Telescope', why: 'used once in here; no tool for it is known here' },
    { what: 'tool run', why: 'used once in here; the settings here take the tool for it away' },
    { what: 'permissions of here', why: 'they were everything, and do not travel; here: ask first' },
    {
      what: 'settings in /home/dev/settings.json',
      why: 'they could not be understood; more may be set up than is known',
    },
  ]);
});

test('without sessions nothing is lost', () => {
  const report = lossReport({
    story: { sessions: [], steps: [], unread: [] },
    target: { name: 'there', tools, provisions: noProvisions },
    toolboxOf: () => tools,
    written: null,
  });
  expect(lossReportWords(report)).toEqual([]);
});

test('calls under names that the target does not offer are named where they are written', () => {
  const own: Toolbox = { ...tools, own: { run: ['shell'], Read: ['read-file'] } };
  const read = { id: 'r', tool: 'Read', args: {} };
  const [step] = story.steps;
  const written = (omissions: [] | null): unknown =>
    lossReport({
      story: { ...story, steps: step === undefined ? [] : [{ ...step, calls: [read, read] }], unread: [] },
      target: { name: 'there', tools, provisions: noProvisions },
      toolboxOf: () => own,
      written: omissions,
    });
  const why = 'calls are written as Read, which there does not offer; other tools of it do the same';
  expect(written([])).toMatchObject({
    omissions: [{ kind: 'image' }, { kind: 'tool-name', count: 2, why }],
    tools: [],
  });
  expect(written(null)).toMatchObject({ omissions: [{ kind: 'image' }] });
});

test('agents that a session started are not written, and the report says so', () => {
  const [main] = story.sessions;
  if (main === undefined) throw new Error('no session');
  const agent = {
    ...main,
    facts: { ...facts, session: 'x', parent: 's', permissions: 'nothing' },
    omissions: [],
  };
  const report = lossReport({
    story: { ...story, sessions: [main, agent], steps: [], unread: [] },
    target: { name: 'there', tools, provisions: noProvisions },
    toolboxOf: () => tools,
    written: [],
  });
  expect(report.omissions.map(({ kind, count }) => [kind, count])).toEqual([
    ['image', 1],
    ['subagent-session', 1],
  ]);
  expect(report.permissions?.said).toBe('everything');
});
