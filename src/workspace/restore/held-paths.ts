/**
 * Paths that start something by themselves, or that change how an agent, an editor or a build machine behaves, without anybody
 * asking for it, with what they do. They are held back at a restore until somebody allows them.
 *
 * On the list: what runs or takes effect when a folder is entered or opened, when an agent or a shell starts in it, when git or a package
 * manager is used for something else, or when it is pushed, but for `.github`, which is ordinary: nothing of it runs here; and what tells agents what to do.
 * Not on it: what runs when it is asked to run, such as Makefiles, build scripts, test and lint configurations, Dockerfiles. That is
 * ordinary work, and reviewing it is what the diff is for. Package manifests in JSON are judged by their content (`lifecycle.ts`). What
 * has such an effect under another name is found by `judge.ts`.
 *
 * A dot-name needs no line here to be held back: all are that are not known to be ordinary (`ordinary.ts`). Those here are the ones that
 * people meet, so that they are told what they allow, and those inside of ordinary folders.
 *
 * Patterns are globs without case; one without a slash matches at any depth.
 */
import { programs } from '../../core/resume/runtime-names.ts';
import type { Agent } from '../../runtimes/agent.ts';

export interface HeldPath {
  readonly pattern: string;
  readonly reason: string;
}

function group(reason: string, patterns: string): HeldPath[] {
  return patterns
    .trim()
    .split(/\s+/)
    .map((pattern) => ({ pattern, reason }));
}

/** What the coding agents go by that we know (`src/runtimes/registry.ts`). Of others the names stand below. */
function known(kind: keyof Agent['goesBy']): string {
  return programs.flatMap(({ goesBy }) => goesBy[kind]).join(' ');
}

const pushed = 'runs on a build machine as soon as it is pushed';

/** A reviewer is told of them, for approving leads to a push. A restore lets them through: nothing of `.github` runs here. */
export const pushedPaths: readonly HeldPath[] = group(
  pushed,
  '.github/workflows .github/actions .github/dependabot.y*ml',
);

export const heldPaths: readonly HeldPath[] = [
  ...group('names servers that agents start', '.mcp.json mcp.json .mcp mcp_config.json'),
  ...group(
    'configures a coding agent: hooks, permissions, commands, servers, what it may see',
    `${known('settings')} .cursor .windsurf .roo .kilocode kilo.json kilo.jsonc .continue .aider* .amazonq .kiro
    .junie .augment .goose .openhands .factory .crush.json crush.json .amp .agent .agents .cursorignore gptme.toml codebuff.json forge.yaml`,
  ),
  ...group(
    'gives instructions to agents',
    `${known('words')} AGENTS.md AGENTS.*.md AGENT.md CRUSH.md WARP.md IFLOW.md CODEBUDDY.md SKILL.md
    replit.md .cursorrules .windsurfrules .goosehints .rules`,
  ),
  ...group(
    'configures an editor or its language servers: tasks, settings and programs started when the folder is opened',
    `.vscode *.code-workspace .idea *.ipr .fleet .zed .helix .nova .vs .vim .settings .project *.sublime-project
    .exrc _exrc .vimrc _vimrc .gvimrc _gvimrc local.vimrc .nvimrc .nvim.lua .dir-locals.el .emacs.d
    .clangd .luarc.json .lsp .ropeproject hie.yaml rust-project.json rust-analyzer.toml omnisharp.json ols.json phpactor.json phpactor.yml latexmkrc`,
  ),
  ...group(
    'sets up a development container or hosted workspace when it is opened',
    '.devcontainer .devcontainer.json .gitpod.yml .idx .replit .codesandbox',
  ),
  ...group(
    'runs at git operations',
    `.husky .huskyrc* .githooks githooks lefthook.* .lefthook* lefthook-local.* .pre-commit-config.yaml prek.toml hk.pkl .overcommit.yml
    simple-git-hooks.* .simple-git-hooks.* .lintstagedrc* lint-staged.config.* .commitlintrc* captainhook.json grumphp.*`,
  ),
  ...group(
    'changes how git treats files or where it fetches from',
    '.gitattributes .gitmodules .gitconfig .lfsconfig',
  ),
  ...group('belongs to another version control system, which reads hooks from it', '.hg .hgrc .jj .svn .bzr'),
  ...group(
    'is loaded when the folder is entered',
    '.envrc .direnv .autoenv* .rvmrc mise.toml mise.*.toml mise/config.* mise/conf.d .mise.toml .mise .tool-versions',
  ),
  ...group(
    'sets environment variables, which many programs load unasked',
    '.env .env.local .env.development .env.production .env.staging .env.test .flaskenv',
  ),
  ...group(
    'is read by a shell, or by a program that a shell starts',
    '.bashrc .bash_profile .profile .zshrc .zshenv .zprofile .inputrc config.fish .tmux.conf .ssh .netrc .curlrc .wgetrc',
  ),
  ...group(
    'steers a package manager: what it downloads from where and what it runs',
    `.npmrc pnpm-workspace.yaml package.yaml package.json5 .pnpmfile.* pnpmfile.* .yarnrc .yarnrc.yml .yarn .pnp.* bunfig.toml
    binding.gyp .cargo rust-toolchain rust-toolchain.toml pip.conf pip.ini .pypirc .condarc .gemrc .bundle .mvn gradle-wrapper.*
    uv.toml poetry.toml NuGet.Config .terraformrc`,
  ),
  ...group(
    'is loaded by an interpreter or debugger that starts in the folder',
    `sitecustomize.py usercustomize.py *.pth pyvenv.cfg conftest.py ipython_config.py jupyter_*config.* php.ini startup.m ansible.cfg
    .pdbrc .gdbinit .lldbinit .irbrc .pryrc .Rprofile .Renviron .RData .ghci .iex.exs`,
  ),
  ...group(
    'steers a reviewer that acts on what is pushed: by which rules',
    '.coderabbit.y*ml .pr_agent.toml .sourcery.y*ml renovate.json renovate.json5',
  ),
  ...group(
    pushed,
    `.gitlab-ci.yml .gitlab .circleci .travis.yml Jenkinsfile Jenkinsfile.* azure-pipelines*.yml
    azure-pipelines*.yaml .azure-pipelines .azuredevops bitbucket-pipelines.yml .drone.yml .woodpecker .woodpecker.y*ml .buildkite
    appveyor.yml .appveyor.yml .teamcity cloudbuild.y*ml buildspec.y*ml .semaphore .cirrus.yml .tekton .forgejo .gitea .readthedocs.y*ml
    bitrise.yml codemagic.yaml codefresh.yml wercker.yml screwdriver.yaml zuul.yaml zuul.d amplify.yml heroku.yml netlify.toml
    railway.json railway.toml vercel.json render.yaml`,
  ),
  ...group(
    'is acted upon by a desktop when the folder is shown',
    'desktop.ini autorun.inf *.lnk *.scf *.url *.library-ms *.searchConnector-ms *.desktop .directory',
  ),
];
