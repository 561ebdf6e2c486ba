/** What the program that goes on lacks, by the settings that it has here. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { desk, put } from './programs.ts';

test('a server that is set up there is not lost, and what a tool lacks is told with the reason', async () => {
  // Its session used the server lab, and everything was allowed.
  const { run, task, home, folder } = await desk({ fixture: 'compaction.jsonl' });
  const args = ['resume', task, '--in', 'codex', '--dry-run'];
  const bare = await run([...args, '--json']);
  expect(bare.json).toMatchObject({
    losses: { servers: ['lab'], permissions: { said: 'bypassPermissions', there: null }, unread: [] },
  });
  const settings = join(home, '.codex/config.toml');
  put(
    settings,
    'approval_policy = "never"\n[mcp_servers.lab]\ncommand = "x"\nenv = { KEY = "A-SECRET-VALUE" }\n',
  );
  const set = await run([...args, '--json']);
  expect(set.json).toMatchObject({
    losses: { servers: [], permissions: { there: 'approval_policy never' } },
  });
  expect(set.stdout).not.toContain('A-SECRET-VALUE');
  put(settings, 'no = toml = at all');
  const { stdout } = await run(args);
  expect(stdout).toContain(`settings in ${settings}: they could not be understood`);
  put(join(folder, '.gemini/settings.json'), JSON.stringify({ tools: { exclude: ['run_shell_command'] } }));
  const denied = await run(['resume', task, '--in', 'gemini-cli', '--dry-run']);
  expect(denied.stdout).toMatch(
    /tool Bash: used .* in claude-code; the settings here take the tool for it away/,
  );
  expect(denied.stdout).toContain('MCP server lab: its tools were used, and it is not set up here');
});
