/** Calls of tools as they are named to a model: the same sentences of the core name commands, which not every agent can run. */
type Arguments = Readonly<Record<string, unknown>>;

/** `take {"task":"t…"}` */
export function askedFor(tool: string, args: Arguments): string {
  return Object.keys(args).length === 0 ? tool : `${tool} ${JSON.stringify(args)}`;
}

const tools: readonly (readonly [command: RegExp, tool: string])[] = [
  [/staffetta show (t\w+|TASK) ([jrsd]\d+)/g, 'the tool read with task $1 and what: $2'],
  [/staffetta show (t\w+|TASK)/g, 'the tool status with task $1'],
  [/staffetta log (t\w+|TASK)/g, 'the tool read with task $1 and what: history'],
  [/staffetta history (t\w+|TASK)/g, 'the tool read with task $1 and what: history'],
  [/staffetta ls --all|staffetta ls/g, 'the tool status'],
  [/staffetta take (t\w+|TASK)/g, 'the tool take with task $1'],
  [
    /staffetta ack (t\w+|TASK) --goal TEXT --gate TEXT --next TEXT/g,
    'the tool take with task $1 and acknowledge: { goal, gate, next }',
  ],
  [/--trigger (?=[a-z])/g, 'trigger: '],
];

export function commandsAsTools(hint: string): string {
  return tools.reduce((text, [command, tool]) => text.replaceAll(command, tool), hint);
}
