import { describe, expect, test } from 'vitest';
import { withCodex, withoutCodex, type CodexWish } from './hook-config.ts';
import type { HookTrust } from './hook-trust.ts';
import { NotToml, parseToml, piecesOf, sectionsOf, textOfPieces } from '../../setup/edit/toml-pieces.ts';

const server = { command: '/n/node', args: ['/s/bin/staffetta.cjs', 'mcp'] };

function wishOf(hooks: string, ...events: readonly string[]): CodexWish {
  const trusts = events.map((event) => ({ event, key: `${hooks}:${event}:0:0`, hash: `sha256:${event}` }));
  return { server, hooks, trusts };
}

const ada = wishOf('/home/ada/.codex/hooks.json', 'stop', 'session_end');
const repository = wishOf('/w/repo/.codex/hooks.json', 'stop');
const known =
  (...wishes: readonly CodexWish[]) =>
  (hooks: string): readonly HookTrust[] =>
    wishes.find((wish) => wish.hooks === hooks)?.trusts ?? [];

describe('what was there before stays as it was', () => {
  test.each([
    ['nothing', ''],
    ['no line end at the end', 'model = "x"'],
    ['a comment at the end', 'model = "x"\n# mine\n'],
    ['empty lines at the end', 'model = "x"\n\n\n'],
    ['line ends of another system', 'model = "x"\r\n[tui]\r\nnotifications = true\r\n'],
    ['a mark of the byte order', '\uFEFFmodel = "x"\n'],
    ['a head in a string of many lines', 'x = """\n[mcp_servers.staffetta]\n# >>> staffetta\n"""\n'],
    ['a list of many lines', 'notify = [\n  "a", # ]\n  "[b]",\n]\n[tui]\n'],
    ['other servers, with dots', 'mcp_servers.other.command = "x"\n'],
    ['other hooks', '[[hooks.Stop]]\nmatcher = "x"\n[hooks.state."/mine:stop:0:0"]\ntrusted_hash = "y"\n'],
    ['folders that Codex trusts', '[projects."/w"]\ntrust_level = "trusted"\n'],
  ])('with %s', (_, text) => {
    const after = withCodex(text, ada);
    expect(parseToml(after)).toMatchObject({
      ...parseToml(text),
      mcp_servers: { staffetta: server },
      hooks: { state: { [ada.trusts[0]?.key ?? '']: { trusted_hash: 'sha256:stop' } } },
    });
    expect(withCodex(after, ada)).toBe(after);
    expect(withoutCodex(after, ada.hooks, known(ada))).toBe(text);
  });
});

describe('a server that somebody made by hand is left as it is', () => {
  test.each([
    '[mcp_servers."staffetta"]\ncommand = "x"\n',
    '[ mcp_servers . staffetta ]\ncommand = "x"\n',
    '[mcp_servers]\nstaffetta = { command = "x" }\n',
    'mcp_servers.staffetta.command = "x"\n',
    '[mcp_servers.staffetta]\nurl = "https://example.com/mcp"\n',
  ])('%j', (text) => {
    const after = withCodex(text, ada);
    expect(parseToml(after)['mcp_servers']).toEqual(parseToml(text)['mcp_servers']);
    expect(after).toContain('trusted_hash');
    expect(withoutCodex(after, ada.hooks, known(ada))).toBe(text);
  });
});

describe('where nothing can be added it is refused, with the name of the table', () => {
  test.each([
    ['mcp_servers', 'mcp_servers = { other = { command = "x" } }\n'],
    ['hooks.state', 'hooks = { }\n'],
    ['hooks.state', '[hooks]\nstate = { }\n'],
    ['mcp_servers', 'mcp_servers = 1\n'],
  ])('%s in %j', (name, text) => {
    const refused = (): string => withCodex(text, ada);
    expect(refused).toThrow(NotToml);
    expect(refused).toThrow(`nothing can be added to ${name}`);
  });

  test('and so is what is no TOML, with the line', () => {
    expect(() => withCodex('a = 1\n[[[\n', ada)).toThrow('not TOML at line 2');
    expect(() => withoutCodex('a = 1\n[[[\n', null, known())).toThrow(NotToml);
  });
});

describe('several have a part in it', () => {
  const both = withCodex(withCodex('model = "x"\n', ada), repository);

  test('and each keeps the trust of the others', () => {
    const { state } = parseToml(both)['hooks'] as { readonly state: object };
    expect(Object.keys(state)).toHaveLength(3);
    expect(withCodex(both, ada)).toBe(both);
    expect(withCodex(both, repository)).toBe(both);
  });

  test('and takes out only his own, in whichever order', () => {
    const trusts = known(ada, repository);
    for (const [first, second] of [
      [ada, repository],
      [repository, ada],
    ] as const) {
      const left = withoutCodex(both, first.hooks, trusts);
      expect(left).toContain(second.hooks);
      expect(left).not.toContain(first.hooks);
      expect(parseToml(left)).toMatchObject({ mcp_servers: { staffetta: server } });
      expect(withoutCodex(left, second.hooks, trusts)).toBe('model = "x"\n');
    }
  });

  test('but a repository that is gone keeps nothing alive', () => {
    const left = withoutCodex(both, ada.hooks, known(ada));
    expect(parseToml(left)['mcp_servers']).toBeUndefined();
  });
});

describe('what Codex does to the file', () => {
  const ours = withCodex('model = "x"\n', ada);

  test('tables between the marks stay, set up again and taken back', () => {
    const theirs =
      '\n[features]\nunified_exec = true\n\n[hooks.state."/mine:stop:0:0"]\ntrusted_hash = "y"\n';
    const text = ours.replace('# <<< staffetta', `${theirs}# <<< staffetta`);
    expect(withCodex(text, ada)).toBe(text);
    expect(parseToml(withoutCodex(text, ada.hooks, known(ada)))).toEqual(parseToml(`model = "x"\n${theirs}`));
  });

  test('without its marks our part is known all the same', () => {
    for (const mark of ['# >>> staffetta\n', '# <<< staffetta\n']) {
      const text = ours.replace(mark, '');
      expect(withCodex(text, ada)).toBe(text);
      expect(withoutCodex(text, ada.hooks, known(ada))).not.toContain('staffetta');
    }
  });

  test('what it keeps about our server goes with it: a server without a command would stop Codex', () => {
    const text = `${ours}\n[mcp_servers.staffetta.tools.status]\napproval_mode = "approve"\n`;
    expect(withCodex(text, ada)).toBe(text);
    expect(parseToml(withoutCodex(text, ada.hooks, known(ada)))).toEqual({ model: 'x' });
  });

  test('keys that somebody put into our tables stay when the paths change', () => {
    const text = ours.replace('args =', 'startup_timeout_sec = 30 # slow disk\nargs =');
    const moved = { ...ada, server: { ...server, command: '/other/node' } };
    const after = withCodex(text, moved);
    expect(after).toContain('startup_timeout_sec = 30 # slow disk\n');
    expect(parseToml(after)).toMatchObject({ mcp_servers: { staffetta: { command: '/other/node' } } });
  });

  test('trust in a hook that has moved in its file is moved', () => {
    const moved = {
      ...ada,
      trusts: ada.trusts.map((one) => ({ ...one, key: one.key.replace(':0:0', ':1:0') })),
    };
    const { state } = parseToml(withCodex(ours, moved))['hooks'] as { readonly state: object };
    expect(Object.keys(state)).toEqual(moved.trusts.map(({ key }) => key));
  });
});

test('a text is the pieces it is cut into', () => {
  const text =
    '# a\nb = """x\n[y]"""\nc = [1, # ]\n 2]\n\n[d.e]\nf = { g = "}" }\n# h\n[[i]]\n"j k".l = \'\'\'\n#\'\'\'\n[m]';
  const pieces = piecesOf(text);
  expect(textOfPieces(pieces)).toBe(text);
  expect(pieces.filter(({ kind }) => kind !== 'other').map(({ path }) => path.join('/'))).toEqual([
    'b',
    'c',
    'd/e',
    'f',
    'i',
    'j k/l',
    'm',
  ]);
  expect(sectionsOf(pieces).map(({ path }) => path.join('/'))).toEqual(['', 'd/e', '', 'i', 'm']);
});
