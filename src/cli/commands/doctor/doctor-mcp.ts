/** Starts an MCP server exactly as an agent would, and says whether it answers and has tools. */
import { defined } from '../../../core/base/defined.ts';
import { counted } from '../../../core/base/counted.ts';
import { spawn } from 'node:child_process';
import type { DoctorFinding } from './doctor-finding.ts';

const answerMsMax = 10_000;

export interface McpStart {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly msMax?: number;
}

export type McpFinding = Pick<DoctorFinding, 'status' | 'text' | 'fix'>;

export async function askServer(start: McpStart): Promise<McpFinding> {
  const { msMax = answerMsMax } = start;
  const { said, stderr, status, unstarted } = await converse(start, msMax);
  const name = nameIn(said);
  const tools = toolsIn(said);
  if (name !== undefined && tools !== undefined && tools > 0)
    return {
      status: 'ok',
      text: `the server answers: ${name}, ${counted(tools, 'tool')}`,
    };
  if (status === 2) return { status: 'untried', text: 'this build has no MCP server' };
  const why = stderr.trim().split('\n')[0] ?? '';
  const what = name === undefined ? 'does not answer' : `answers as ${name}, but has no tools`;
  if (unstarted !== undefined) return wrong(start, `cannot be started: ${unstarted}`);
  const end = status === null ? ` within ${msMax / 1000} s` : `; it ended with ${status}`;
  return wrong(start, `${what}${end}${why === '' ? '' : `: ${why}`}`);
}

function wrong({ command, args }: McpStart, what: string): McpFinding {
  return {
    status: 'wrong',
    text: `${[command, ...args].join(' ')} ${what}.`,
    fix: 'Run that command and see what it says. If its paths are not those of this installation, write them with: staffetta init',
  };
}

interface Answered {
  readonly said: string;
  readonly stderr: string;
  /** Null where it had to be ended. */
  readonly status: number | null;
  /** Why there is no process at all. */
  readonly unstarted?: string;
}

async function converse({ command, args, env, cwd }: McpStart, msMax: number): Promise<Answered> {
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(env === undefined ? {} : { env: { ...process.env, ...env } }),
    ...defined({ cwd }),
  });
  let said = '';
  let stderr = '';
  let isAsked = false;
  child.stdin.on('error', () => undefined);
  child.stderr.on('data', (piece) => (stderr += String(piece)));
  const tell = (message: object): void => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  };
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'staffetta-doctor', version: '1' },
  };
  tell({ id: 1, method: 'initialize', params });
  return await new Promise<Answered>((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), msMax);
    child.stdout.on('data', (piece) => {
      said += String(piece);
      if (!isAsked && nameIn(said) !== undefined) {
        isAsked = true;
        tell({ method: 'notifications/initialized' });
        tell({ id: 2, method: 'tools/list', params: {} });
      }
      if (toolsIn(said) !== undefined) child.stdin.end();
    });
    child.once('error', ({ message }) => {
      clearTimeout(timer);
      resolve({ said, stderr, status: null, unstarted: message });
    });
    child.once('close', (status) => {
      clearTimeout(timer);
      resolve({ said, stderr, status });
    });
  });
}

interface Result {
  readonly serverInfo?: { readonly name?: unknown; readonly version?: unknown };
  readonly tools?: unknown;
}

function resultsIn(said: string): Result[] {
  return said.split('\n').flatMap((line) => {
    try {
      return [(JSON.parse(line) as { readonly result?: Result }).result ?? {}];
    } catch {
      // Not a line of the protocol, or not a whole one yet.
      return [];
    }
  });
}

function nameIn(said: string): string | undefined {
  const { name, version } =
    resultsIn(said).find(({ serverInfo }) => serverInfo !== undefined)?.serverInfo ?? {};
  return typeof name === 'string'
    ? `${name} ${typeof version === 'string' ? version : ''}`.trim()
    : undefined;
}

function toolsIn(said: string): number | undefined {
  const { tools } = resultsIn(said).find((result) => Array.isArray(result.tools)) ?? {};
  return Array.isArray(tools) ? tools.length : undefined;
}
