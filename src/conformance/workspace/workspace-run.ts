import type { RunOptions, RunReport } from '../../ports/workspace.ts';
import { check, same, type Case } from '../case.ts';
import type { WorkspaceScratch } from './workspace-scratch.ts';

async function run(
  scratch: WorkspaceScratch,
  script: string,
  options: RunOptions & { readonly args?: readonly string[] } = {},
): Promise<RunReport & { readonly text: string }> {
  const { args = [], ...about } = options;
  const workspace = await scratch.open('here');
  const report = await workspace.run([process.execPath, '-e', script, '--', ...args], about);
  return { ...report, text: Buffer.from(report.output).toString('utf8') };
}

const forever = 'console.log("started"); setInterval(() => {}, 1000);';

export const workspaceRunCases: readonly Case<WorkspaceScratch>[] = [
  {
    id: 'WS10',
    title: 'the program itself is started, in the workspace, with its arguments untouched and no input',
    run: async (scratch) => {
      const arg = '$HOME; echo `pwd` && *';
      const script =
        'const { readFileSync } = require("node:fs"); console.log(JSON.stringify([process.cwd(), process.argv.at(-1), readFileSync(0, "utf8")]));';
      const { end, text } = await run(scratch, script, { args: [arg] });
      same(end, { how: 'exited', code: 0 }, 'how it ended');
      same(JSON.parse(text), [(await scratch.open('here')).root, arg, ''], 'what it saw');
    },
  },
  {
    id: 'WS10',
    title: 'a run ends at its time limit, with everything it started',
    run: async (scratch) => {
      const script = `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(forever)}], { stdio: "inherit" }); ${forever}`;
      const { end } = await run(scratch, script, { timeoutMs: 500 });
      same(end, { how: 'timed-out' }, 'how it ended');
    },
  },
  {
    id: 'WS10',
    title: 'a run ends by its signal',
    run: async (scratch) => {
      const controller = new AbortController();
      const running = run(scratch, forever, { signal: controller.signal, timeoutMs: 20_000 });
      setTimeout(() => controller.abort(), 200);
      same((await running).end, { how: 'interrupted' }, 'how it ended');
    },
  },
  {
    id: 'WS10',
    title: 'the exit code is told, and whether the workspace is another one afterwards',
    run: async (scratch) => {
      const quiet = await run(scratch, 'process.exit(3)');
      same(quiet.end, { how: 'exited', code: 3 }, 'how it ended');
      same(quiet.after, quiet.before, 'the workspace after a run that changed nothing');
      const busy = await run(scratch, 'require("node:fs").writeFileSync("made.txt", "made")');
      check(busy.after !== busy.before, 'a run that made a file left the same digest');
    },
  },
  {
    id: 'WS11',
    title: 'of a long output the beginning and the end are kept, in order, and the rest is counted',
    run: async (scratch) => {
      const script =
        'process.stdout.write("begin\\n" + "x".repeat(99_988) + "\\nend\\n" + "."); process.exitCode = 0;';
      const report = await run(scratch, script, { outputBytesMax: 1000 });
      same(report.outputBytes, 100_000, 'bytes that it wrote');
      check(report.text.startsWith('begin\n'), 'the beginning is lost');
      check(report.text.endsWith('\nend\n.'), 'the end is lost');
      check(report.output.length <= 2000, `${report.output.length} bytes were kept`);
      check(report.droppedBytes > 0 && report.droppedBytes < 100_000, `${report.droppedBytes} were dropped`);
    },
  },
  {
    id: 'WS11',
    title: 'a program that cannot be started is an outcome',
    run: async (scratch) => {
      const { end } = await (await scratch.open('here')).run(['no-such-program-anywhere']);
      same(end, { how: 'not-started', reason: 'not-found' }, 'how it ended');
    },
  },
];
