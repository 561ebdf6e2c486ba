/** What the records say of the session itself. The newest word counts, but for when it began, and where, unless it was moved. */
import { filled } from '../../../core/base/defined.ts';
import type { SessionFacts } from '../../../core/transcript/step.ts';
import { flag, text, time, type Fields } from './schema.ts';

export class Facts {
  #session: string | null = null;
  #agent: string | null = null;
  #folder: string | null = null;
  #startedAt: number | null = null;
  #version: string | null = null;
  #branch: string | null = null;
  #model: string | null = null;
  #permissions: string | null = null;
  readonly #titles = new Map<'customTitle' | 'aiTitle' | 'summary', string>();

  /** The folder that a record was written in, where the shell had gone to another than the session's. */
  elsewhere(record: Fields): string | null {
    const folder = text(record, 'cwd');
    return folder === this.#folder ? null : folder;
  }

  take(record: Fields): void {
    this.#session ??= text(record, 'sessionId');
    this.#folder ??= text(record, 'cwd');
    if (text(record, 'type') === 'relocated') this.#folder = text(record, 'relocatedCwd') ?? this.#folder;
    this.#startedAt ??= time(record, 'timestamp');
    this.#version = text(record, 'version') ?? this.#version;
    this.#branch = text(record, 'gitBranch') || this.#branch;
    this.#permissions = text(record, 'permissionMode') ?? this.#permissions;
    if (flag(record, 'isSidechain')) this.#agent ??= text(record, 'agentId');
    this.#title(record);
  }

  #title(record: Fields): void {
    const type = text(record, 'type');
    const name =
      type === 'custom-title'
        ? 'customTitle'
        : type === 'ai-title'
          ? 'aiTitle'
          : type === 'summary'
            ? type
            : null;
    const title = name === null ? null : text(record, name);
    if (name !== null && title !== null) this.#titles.set(name, title);
  }

  setModel(model: string): void {
    this.#model = model;
  }

  /** An agent's file bears the id of the session that started it. */
  facts(isAgent: boolean): SessionFacts {
    const own = isAgent && this.#agent !== null;
    return {
      runtime: 'claude-code',
      session: (own ? this.#agent : this.#session) ?? '',
      version: this.#version,
      model: this.#model,
      folder: this.#folder,
      // A detached head has no branch.
      branch: this.#branch === 'HEAD' ? null : this.#branch,
      commit: null,
      startedAt: this.#startedAt,
      title:
        this.#titles.get('customTitle') ?? this.#titles.get('aiTitle') ?? this.#titles.get('summary') ?? null,
      parent: own ? this.#session : null,
      ...filled({ permissions: this.#permissions }),
    };
  }
}
