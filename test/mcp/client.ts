/** The built command as a host starts it, spoken to by the protocol's own client. */
import { join } from 'node:path';
import { Client, type CallToolResult } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll } from 'vitest';
import { home, launcher, newWorkplace, node } from '../cli/command.ts';

export type Data = Readonly<Record<string, unknown>>;

export interface Said {
  readonly data: Data;
  readonly text: string;
  /** Undefined where it went well. */
  readonly error: Refused | undefined;
}

export interface Refused {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly next: readonly string[];
  readonly findings?: readonly { readonly rule: string; readonly fix: string }[];
}

export interface AgentOptions {
  readonly folder?: string;
  readonly store?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What the client calls itself. */
  readonly client?: string;
  /** Speak as later clients do, without a handshake. */
  readonly modern?: boolean;
}

const open = new Set<Agent>();
afterAll(async () => {
  for (const agent of open) await agent.close();
});

export class Agent {
  readonly client: Client;
  readonly folder: string;
  readonly #transport: StdioClientTransport;

  private constructor(client: Client, transport: StdioClientTransport, folder: string) {
    this.client = client;
    this.#transport = transport;
    this.folder = folder;
  }

  /** With a workplace of its own unless one is given. */
  static async start(name: string, options: AgentOptions = {}): Promise<Agent> {
    const folder = options.folder ?? newWorkplace();
    const transport = new StdioClientTransport({
      command: node,
      args: [launcher, 'mcp', ...(options.store === undefined ? [] : ['--store', options.store])],
      cwd: folder,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: home,
        LANG: 'C.UTF-8',
        ...(name === '' ? {} : { STAFFETTA_AS: name }),
        ...options.env,
      },
      stderr: 'pipe',
    });
    const client = new Client(
      { name: options.client ?? 'lab-client', version: '1.0.0' },
      options.modern === true ? { versionNegotiation: { mode: 'auto' } } : {},
    );
    await client.connect(transport);
    const agent = new Agent(client, transport, folder);
    open.add(agent);
    return agent;
  }

  get pid(): number {
    return this.#transport.pid ?? 0;
  }

  get store(): string {
    return join(this.folder, '.staffetta', 'store.db');
  }

  /** Calls a tool. The client itself holds what comes back against the schema of the tool. */
  async call(tool: string, args: Data = {}, options: { readonly meta?: Data } = {}): Promise<Said> {
    const given = {
      name: tool,
      arguments: { ...args },
      ...(options.meta === undefined ? {} : { _meta: { ...options.meta } }),
    };
    return said(await this.client.callTool(given));
  }

  /** The same, where anything but success is a failure of the test. */
  async done(tool: string, args: Data = {}): Promise<Said> {
    const answer = await this.call(tool, args);
    if (answer.error !== undefined) throw new Error(`${tool}: ${answer.text}`);
    return answer;
  }

  async refused(tool: string, args: Data = {}): Promise<Refused> {
    const { error, text } = await this.call(tool, args);
    if (error === undefined) throw new Error(`${tool} was not refused: ${text}`);
    return error;
  }

  async close(): Promise<void> {
    open.delete(this);
    await this.client.close();
  }
}

export function said({ structuredContent, content, isError }: CallToolResult): Said {
  const data = (structuredContent ?? {}) as Data;
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  return { data, text, error: isError === true ? (data['error'] as Refused) : undefined };
}

/** A contract that the gate has nothing against, and a packet that is ready. */
export const contract = {
  goal: 'The fence in fence.txt has three posts, each on a line of its own.',
  acceptance: ['node check.mjs passes'],
  nonGoals: ['painting the fence'],
  validation: ['node check.mjs'],
  review: 'human',
};

export const words = {
  summary: 'The second post is set.',
  doing: ['the third post'],
  remaining: ['the third post in fence.txt'],
  nextAction: 'add the third post to fence.txt',
  artefacts: ['fence.txt'],
};
