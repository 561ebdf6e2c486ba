/** The pages are built into the package beside the command. Nothing in them is loaded from elsewhere, so no address is ever written in. */
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

/** Of `marked` only the lexer is used. What it makes for its other users when it is loaded would keep its parser and renderer too. */
const lexerAlone: Plugin = {
  name: 'lexer-alone',
  transform(code, id) {
    if (!id.endsWith('/marked.esm.js')) return null;
    const shared = /var (\w+)=new \w+;function \w+\(\w+,\w+\)\{return \1\.parse\([^]*\b(\w+) as Lexer\b[^]*$/;
    const cut = code.replace(shared, 'export{$2 as Lexer};');
    if (cut === code) throw new Error('marked is written in another way now: see web/vite.config.ts.');
    return { code: cut, map: null };
  },
};

/**
 * Four files: the frame with the lists, the rooms of a task, a run and a review, what reads Markdown, and what colours code. The last three are
 * fetched when they are wanted. Split by what each shares with each, there were nine, and together they were 3 kB larger.
 */
const files = [
  { name: 'markdown', test: /parts\/(?:markdown|tokens)\.|node_modules\/marked\//, priority: 3 },
  { name: 'colours', test: /diff\/colours\.|node_modules\/highlight\.js\//, priority: 3 },
  {
    name: 'rooms',
    test: /src\/(?:task\/|audit\/|run\/|overview\/|(?:core\/)?diff\/(?!text|pieces|visible|comment)|review\/(?:review|asked|beside|since|happened))|node_modules\/diff\//,
    priority: 2,
  },
  { name: 'frame', test: /./, priority: 1 },
];

export default defineConfig({
  plugins: [lexerAlone],
  root: import.meta.dirname,
  // `npm run build` says what matters itself.
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: join(import.meta.dirname, '..', 'dist', 'web'),
    emptyOutDir: true,
    target: 'es2023',
    sourcemap: false,
    modulePreload: { polyfill: false },
    // An inlined file would need an exception in the content security policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 400,
    rolldownOptions: { output: { codeSplitting: { includeDependenciesRecursively: false, groups: files } } },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:4747', '/sign-in': 'http://127.0.0.1:4747' } },
});
