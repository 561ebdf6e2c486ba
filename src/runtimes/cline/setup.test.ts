import { expect, test } from 'vitest';
import { setup } from './setup.ts';

const paths = {
  node: '/opt/a node/node',
  hook: '/s/hook.cjs',
  command: '/s/staffetta.cjs',
  plugin: '/s/p.js',
};
const wish = { paths, trusted: null };
const form = setup.kinds['cline-hook-PreToolUse'];

test('a hook is a script of ours, whose programs the doctor finds', () => {
  const script = form?.with('', wish) ?? '';
  expect(script).toMatch(/^#!\/bin\/sh\n/);
  expect(form?.hooksIn?.('', script)).toMatchObject({
    events: 1,
    programs: ['/opt/a node/node', '/s/hook.cjs'],
    calls: [expect.stringContaining(' cline PreToolUse') as unknown],
  });
  expect(form?.with(script, wish)).toBe(script);
  expect(form?.without(script, { hooks: null, was: null })).toBeNull();
});

test('a script of somebody else is neither written over nor taken away', () => {
  const theirs = '#!/bin/sh\necho theirs\n';
  expect(() => form?.with(theirs, wish)).toThrow('somebody else');
  expect(form?.without(theirs, { hooks: null, was: null })).toBe(theirs);
  expect(form?.hooksIn?.('', theirs)).toBeUndefined();
});
