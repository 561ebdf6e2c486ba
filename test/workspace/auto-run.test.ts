/**
 * WS7 against the programs that people use: files and folders that each of them reads by itself, and that name or hold something to run.
 * Collected by program, not from our own lists.
 */
import { describe, expect, test } from 'vitest';
import { heldReason } from '../../src/workspace/restore/held.ts';

const readUnasked: Readonly<Record<string, string>> = {
  'Visual Studio Code': '.vscode/tasks.json .vscode/settings.json .vscode/launch.json app.code-workspace',
  JetBrains: '.idea/workspace.xml .idea/runConfigurations/a.xml .run/a.run.xml old.ipr .fleet/run.json',
  Zed: '.zed/settings.json .zed/tasks.json .rules',
  Vim: '.vimrc .exrc _vimrc _exrc .vim/coc-settings.json .vim/vimspector.json .local.vimrc .lvimrc .vimspector.json',
  Neovim: '.nvim.lua .nvimrc .neoconf.json .nlsp-settings/lua_ls.json',
  Emacs: '.dir-locals.el .dir-locals-2.el .emacs.d/init.el .projectile',
  Helix: '.helix/config.toml .helix/languages.toml',
  Kakoune: '.kakrc',
  Sublime: 'a.sublime-project',
  Kate: '.kateproject .kateconfig',
  Nova: '.nova/Configuration.json',
  'Visual Studio': '.vs/tasks.vs.json .vs/launch.vs.json',
  Eclipse:
    '.project .settings/org.eclipse.jdt.core.prefs .externalToolBuilders/a.launch .classpath .factorypath',
  'Theia and Che': '.theia/settings.json .devfile.yaml',
  Atom: '.atom/init.coffee .atom-build.yml',
  'Haskell language server': 'hie.yaml .ghci',
  'clojure-lsp':
    '.lsp/config.edn .clj-kondo/config.edn .clj-kondo/hooks/a.clj .calva/repl.calva-repl .nrepl.edn',
  rope: '.ropeproject/config.py',
  clangd: '.clangd .ccls .cquery',
  'Lua language server': '.luarc.json .luarc.jsonc .luarc.doc.json',
  'rust-analyzer': 'rust-project.json rust-analyzer.toml',
  Metals: '.bsp/sbt.json .bloop/root.json',
  OmniSharp: 'omnisharp.json',
  'Odin language server': 'ols.json',
  Tern: '.tern-project',
  Solargraph: '.solargraph.yml .ruby-lsp/bundle_gemfile',
  'PHP language servers': '.phpactor.json .phpactor.yml',
  Elixir: '.iex.exs .formatter.exs',
  Erlang: '.erlang .elp.toml',
  LaTeX: '.latexmkrc latexmkrc',
  'Claude Code': '.claude/settings.json .claude/hooks/a.sh .mcp.json CLAUDE.md .claude-plugin/plugin.json',
  Codex: '.codex/config.toml .codex/hooks.json AGENTS.md AGENTS.override.md .agents/skills/a/SKILL.md',
  'Gemini CLI': '.gemini/settings.json .gemini/extensions/a/gemini-extension.json GEMINI.md .geminiignore',
  opencode: 'opencode.json opencode.jsonc .opencode/plugin/a.ts',
  Cursor: '.cursor/hooks.json .cursor/mcp.json .cursor/environment.json .cursorrules .cursorignore',
  Windsurf: '.windsurf/rules/a.md .windsurf/hooks.json .windsurfrules .codeiumignore',
  Copilot:
    '.github/copilot-instructions.md .github/hooks/a.json .github/agents/a.md .copilot/mcp-config.json',
  'Cline and its kin': '.clinerules/hooks/a .roo/mcp.json .roomodes .kilocode/mcp.json kilo.json',
  Aider: '.aider.conf.yml .aiderignore .aider.model.settings.yml',
  gptme: 'gptme.toml',
  Goose: '.goosehints .goose/config.yaml',
  Continue: '.continue/config.yaml .continuerc.json',
  'Amazon Q and Kiro': '.amazonq/mcp.json .kiro/hooks/a.kiro.hook',
  Crush: 'crush.json .crush.json CRUSH.md',
  'Qwen Code': '.qwen/settings.json QWEN.md',
  Codebuff: 'codebuff.json',
  'other agents':
    '.junie/mcp.json .augment/rules/a.md .factory/hooks.json .openhands/setup.sh .amp/settings.json .trae/rules.md .warp/workflows/a.yaml .grok/settings.json .iflow/settings.json .tabnine/mcp.json .aiassistant/rules/a.md',
  direnv: '.envrc .direnv/direnvrc',
  mise: 'mise.toml mise.local.toml .mise.toml .mise/config.toml mise/config.toml .config/mise.toml .config/mise/config.toml .rtx.toml',
  asdf: '.tool-versions .asdfrc',
  rvm: '.rvmrc',
  'version managers':
    '.sdkmanrc .jabbarc .vfox.toml .prototools .moon/toolchain.yml .bazelversion .rbenv-vars .pyenv-vars',
  'folder hooks of shells': '.autoenv .autoenv.zsh .env .env.local .shadowenv.d/500_a.lisp .ondir .smartcd/a',
  shells:
    '.bashrc .bash_profile .bash_logout .profile .zshrc .zshenv .zlogin .kshrc .cshrc .tcshrc .inputrc .config/fish/config.fish .xonshrc',
  'terminal programs':
    '.tmux.conf .screenrc .tmuxinator.yml .tmuxp.yaml .lesskey .mailcap .nanorc .ackrc .ctags .ctags.d/a.ctags .curlrc .wgetrc .netrc .ssh/config .gnupg/gpg.conf',
  Git: '.gitattributes .gitmodules .gitconfig .lfsconfig .githooks/pre-commit .git-hooks/pre-push',
  'hook managers':
    '.husky/pre-commit .huskyrc.json lefthook.yml .lefthook.toml .lefthook/pre-commit/a .pre-commit-config.yaml .pre-commit-hooks.yaml prek.toml hk.pkl .overcommit.yml .rusty-hook.toml .cargo-husky/hooks/pre-commit .simple-git-hooks.json .lintstagedrc .lintstagedrc.mjs .commitlintrc.js grumphp.yml captainhook.json .trunk/trunk.yaml',
  'other version control': '.hg/hgrc .hgrc .jj/repo/config.toml .svn/hooks .bzr/branch .sl/config',
  npm: '.npmrc binding.gyp',
  Yarn: '.yarnrc .yarnrc.yml .yarn/releases/yarn.cjs .yarn/plugins/a.cjs .yarn/sdks/a.js .pnp.cjs .pnp.loader.mjs',
  pnpm: '.pnpmfile.cjs pnpm-workspace.yaml package.yaml package.json5',
  Bun: 'bunfig.toml',
  Cargo: '.cargo/config.toml rust-toolchain.toml',
  Python:
    '.pypirc .condarc pip.conf x.pth sitecustomize.py conftest.py .pdbrc .pythonrc .venv/bin/activate .pixi/config.toml ipython_config.py jupyter_server_config.py jupyter_lab_config.json',
  Ruby: '.bundle/config .gemrc .irbrc .pryrc .powrc .rdebugrc .byebugrc',
  JVM: '.mvn/extensions.xml .mvn/jvm.config gradle/wrapper/gradle-wrapper.properties .sbtopts .jvmopts .sbtrc .scalarc .gradle/init.gradle .sdkmanrc .jshell .groovy/groovysh.rc',
  'R and Julia': '.Rprofile .Renviron .RData .julia/config/startup.jl',
  'other interpreters':
    '.ocamlinit .perldb .octaverc startup.m .sqliterc .psqlrc .my.cnf .mongorc.js .gdbinit .lldbinit .radare2rc .user.ini php.ini .htaccess',
  Bazel: '.bazelrc .bazeliskrc .buckconfig .buckconfig.local',
  Terraform: '.terraformrc .terraform/providers/a',
  'development containers':
    '.devcontainer/devcontainer.json .devcontainer.json .gitpod.yml .gitpod.Dockerfile .idx/dev.nix .replit .codesandbox/tasks.json .stackblitzrc .flox/env/manifest.toml .devenv/profile',
  'build machines':
    '.gitlab-ci.yml .gitlab/ci/a.yml .circleci/config.yml .travis.yml Jenkinsfile azure-pipelines.yml bitbucket-pipelines.yml .drone.yml .drone.star .woodpecker/a.yml .woodpecker.yml .buildkite/pipeline.yml .buildkite/hooks/pre-command .cirrus.yml .semaphore/semaphore.yml .tekton/a.yaml .forgejo/workflows/a.yml .gitea/workflows/a.yml .builds/a.yml .build.yml .readthedocs.yaml .taskcluster.yml .zuul.yaml zuul.d/a.yaml .platform.app.yaml .harness/a.yaml .ebextensions/a.config .platform/hooks/a .do/app.yaml netlify.toml vercel.json appveyor.yml .teamcity/settings.kts bitrise.yml codemagic.yaml',
  reviewers:
    '.coderabbit.yaml .pr_agent.toml .sourcery.yaml .codeclimate.yml .greptile/config.json renovate.json .renovaterc .mergify.yml .bulldozer.yml .kodiak.toml',
  desktops:
    'desktop.ini autorun.inf a.lnk a.scf a.url a.desktop .directory .config/autostart/a.desktop .config/systemd/user/a.service .local/share/applications/a.desktop',
};

/** What is looked for at the top only, by its whole path. */
const atTheTop = /^(?:\.github|mise)\//;

describe('what programs read by themselves is held back', () => {
  test.each(Object.entries(readUnasked))('%s', (_program, words) => {
    const paths = words.split(' ');
    const deeper = paths.filter((path) => !atTheTop.test(path)).map((path) => `packages/a/${path}`);
    expect([...paths, ...deeper].filter((path) => heldReason(path) === undefined)).toEqual([]);
  });
});
