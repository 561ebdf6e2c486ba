/** Starts the MCP server as an agent would, and says whether it answers. */
import { spawn } from 'node:child_process';
import { stdioServer, type OwnPaths } from '../../setup/entries.ts';
import type { Finding } from './doctor-finding.ts';

const answerMsMax = 10_000;
const check = 'mcp';

export async function askServer(paths: OwnPaths): Promise<Finding> {
  const { command, args } = stdioServer(paths);
  const { said, stderr, status } = await answered(command, args);
  const name = nameIn(said);
  if (name !== undefined) return { check, status: 'ok', text: `the server answers: ${name}` };
  if (status === 2) return { check, status: 'untried', text: 'this build has no MCP server' };
  const why = stderr.trim().split('\n')[0] ?? '';
  return {
    check,
    status: 'wrong',
    text: `${[command, ...args].join(' ')} does not answer${status === null ? ` within ${answerMsMax / 1000} s` : `; it ended with ${status}`}${why === '' ? '' : `: ${why}`}.`,
    fix: 'Run that command and see what it says; install staffetta again if it does not start.',
  };
}

interface Answered {
  readonly said: string;
  readonly stderr: string;
  /** Null where it had to be ended. */
  readonly status: number | null;
}

async function answered(command: string, args: readonly string[]): Promise<Answered> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  let stderr = '';
  child.stdin.on('error', () => undefined);
  child.stderr.on('data', (piece) => (stderr += String(piece)));
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'staffetta-doctor', version: '1' },
  };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
  return await new Promise<Answered>((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), answerMsMax);
    child.stdout.on('data', (piece) => {
      said += String(piece);
      if (nameIn(said) !== undefined) child.stdin.end();
    });
    child.once('error', (error) => {
      stderr += error.message;
    });
    child.once('close', (status) => {
      clearTimeout(timer);
      resolve({ said, stderr, status });
    });
  });
}

function nameIn(said: string): string | undefined {
  for (const line of said.split('\n')) {
    try {
      const { result } = JSON.parse(line) as {
        result?: { serverInfo?: { name?: unknown; version?: unknown } };
      };
      const { name, version } = result?.serverInfo ?? {};
      if (typeof name === 'string') return `${name} ${typeof version === 'string' ? version : ''}`.trim();
    } catch {
      // Not a line of the protocol, or not a whole one yet.
    }
  }
  return undefined;
}
