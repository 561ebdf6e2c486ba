import { describe, expect, test } from 'vitest';
import { namesOf } from './toml.ts';

const told = (text: string): string[] =>
  namesOf(text).entries.map(
    ({ path, value }) => `${path.join('/')}${value === undefined ? '' : `=${value}`}`,
  );

describe('names in TOML', () => {
  test('stand in tables, in dotted keys and in tables of one line', () => {
    const text = `
# top
approval_policy = "never" # why not
[mcp_servers.lab]
command = 'node'
enabled = false
[ mcp_servers . "with space" ]
mcp_servers.x = 1
[a]
b = { c = "d", "e f" = { g = true } }
[[list]]
n = 1979-05-27 07:32:00
`;
    expect(told(text)).toEqual([
      'approval_policy=never',
      'mcp_servers/lab',
      'mcp_servers/lab/command=node',
      'mcp_servers/lab/enabled=false',
      'mcp_servers/with space',
      'mcp_servers/with space/mcp_servers/x',
      'a',
      'a/b',
      'a/b/c=d',
      'a/b/e f',
      'a/b/e f/g=true',
      'list',
      'list/n',
    ]);
    expect(namesOf(text).whole).toBe(true);
  });

  test('are not taken from within a text or a list', () => {
    const text = `a = """
[mcp_servers.fake]
"""
b = [ "[mcp_servers.fake]", { command = "x" }, # [mcp_servers.fake]
  [1, 2],
]
c = '''
[mcp_servers.fake]'''
`;
    expect(told(text)).toEqual(['a=\n[mcp_servers.fake]\n', 'b', 'c=\n[mcp_servers.fake]']);
  });

  test.each(['a', '[a', 'a = ', 'a = [1', 'a = { b = 1', '= 1', 'a = "x', '[a]]', '\0', 'a = {,}'])(
    '%j is told to be no TOML',
    (text) => {
      expect(namesOf(text).whole).toBe(false);
    },
  );

  test('before what cannot be understood are given', () => {
    expect(namesOf('a = true\n???\nb = true')).toEqual({
      entries: [{ path: ['a'], value: true }],
      whole: false,
    });
  });
});
