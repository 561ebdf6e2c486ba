import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folder, put } from '../../../test/runtimes/fixtures/claude-code/load.ts';
import { agentHome, locate, projectName } from './locate.ts';

describe('where the program is', () => {
  test('its data is where the environment says, else in the home folder', () => {
    expect(agentHome({ HOME: '/h' })).toBe('/h/.claude');
    expect(agentHome({ HOME: '/h', CLAUDE_CONFIG_DIR: '/c' })).toBe('/c');
    expect(agentHome({ HOME: '/h', CLAUDE_CONFIG_DIR: '' })).toBe('/h/.claude');
  });

  test('nothing is found where there is neither data nor program', async () => {
    expect(locate({ HOME: folder(), PATH: '/nowhere:relative::' })).toBeNull();
  });

  test('data without the program is found', async () => {
    const home = folder();
    mkdirSync(join(home, '.claude'));
    expect(locate({ HOME: home })).toEqual({ home: join(home, '.claude'), program: null });
  });

  test.runIf(process.platform !== 'win32')('only a file that may be run is the program', async () => {
    const home = folder();
    mkdirSync(join(home, 'folder', 'claude'), { recursive: true });
    put(join(home, 'plain', 'claude'), '');
    put(join(home, 'bin', 'claude'), '');
    chmodSync(join(home, 'plain', 'claude'), 0o600);
    chmodSync(join(home, 'bin', 'claude'), 0o700);
    const PATH = ['folder', 'plain', 'bin'].map((name) => join(home, name)).join(':');
    expect(locate({ HOME: home, PATH })).toMatchObject({ program: join(home, 'bin', 'claude') });
  });

  test('a folder gives its name to a project as the program does it', () => {
    expect(projectName('/home/dev/my_app.v2/ü x')).toBe('-home-dev-my-app-v2---x');
  });
});
