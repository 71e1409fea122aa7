/**
 * Builds Debian and Red Hat packages of a program folder with the tools of those systems, so that nothing has to be
 * downloaded.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface LinuxProgram {
  /** Folder of the program with everything that it needs. */
  folder: string;
  version: string;
  /** An SVG file. */
  icon: string;
  /** Folder for the packages. */
  output: string;
  /** True if packages are compressed, which takes most of the time. */
  isCompressed: boolean;
}

const INSTALL_PATH = '/opt/Runsheet';
const SUMMARY = 'Run Excel workbooks and stored procedures of a Runsheet portal';
const HOME_PAGE_NOTE = 'The desktop client of a Runsheet portal, which your company runs.';

const ENTRY = `[Desktop Entry]
Name=Runsheet
Comment=${SUMMARY}
Exec=${INSTALL_PATH}/runsheet %U
Icon=runsheet
Type=Application
Terminal=false
StartupWMClass=Runsheet
Categories=Office;
MimeType=x-scheme-handler/runsheet;
`;

const DEBIAN_NEEDS = [
  'libgtk-3-0 | libgtk-3-0t64',
  'libnss3',
  'libasound2 | libasound2t64',
  'libgbm1',
  'libsecret-1-0',
  'libnotify4',
  'libatspi2.0-0 | libatspi2.0-0t64',
  'xdg-utils',
];
const RED_HAT_NEEDS = ['gtk3', 'nss', 'alsa-lib', 'mesa-libgbm', 'libsecret', 'libnotify', 'at-spi2-core', 'xdg-utils'];

/** Makes builds reproducible: the same files give the same package, because it contains no current time. */
const ENV = { ...process.env, SOURCE_DATE_EPOCH: process.env['SOURCE_DATE_EPOCH'] ?? '315532800' };

export const PACKAGERS: Record<'deb' | 'rpm', { tool: string; make: (program: LinuxProgram) => string }> = {
  deb: { tool: 'dpkg-deb', make: makeDeb },
  rpm: { tool: 'rpmbuild', make: makeRpm },
};

/** Returns the path of the package. */
function makeDeb(program: LinuxProgram): string {
  return within((work) => {
    const root = join(work, 'root');
    lay(program, root);
    mkdirSync(join(root, 'DEBIAN'));
    const control = [
      'Package: runsheet',
      `Version: ${program.version}`,
      'Section: misc',
      'Priority: optional',
      'Architecture: amd64',
      'Maintainer: Runsheet <noreply@runsheet.invalid>',
      `Depends: ${DEBIAN_NEEDS.join(', ')}`,
      `Description: ${SUMMARY}`,
      ` ${HOME_PAGE_NOTE}`,
    ];
    writeFileSync(join(root, 'DEBIAN/control'), `${control.join('\n')}\n`);
    const path = join(program.output, `runsheet_${program.version}_amd64.deb`);
    const compression = program.isCompressed ? ['-Zxz', '-z1'] : ['-Znone'];
    execFileSync('dpkg-deb', ['--root-owner-group', ...compression, '--build', root, path], {
      env: ENV,
      stdio: 'pipe',
    });
    return path;
  });
}

function makeRpm(program: LinuxProgram): string {
  return within((work) => {
    const root = join(work, 'root');
    const spec = join(work, 'runsheet.spec');
    writeFileSync(spec, specOf(program.version));
    // The spec file copies the files itself, because rpmbuild empties the build root first.
    const source = join(work, 'source');
    lay(program, source);
    const defines = {
      _topdir: work,
      _rpmdir: program.output,
      _rpmfilename: `runsheet-${program.version}.x86_64.rpm`,
      laid: source,
      _binary_payload: program.isCompressed ? 'w1.gzdio' : 'w.ufdio',
    };
    const args = Object.entries(defines).flatMap(([name, value]) => ['--define', `${name} ${value}`]);
    const options = ['--target', 'x86_64', '--buildroot', root, ...args];
    execFileSync('rpmbuild', ['-bb', ...options, spec], { env: ENV, stdio: 'pipe' });
    return join(program.output, defines._rpmfilename);
  });
}

const specOf = (version: string): string => `Name: runsheet
Version: ${version.replaceAll('-', '~')}
Release: 1
Summary: ${SUMMARY}
License: Apache-2.0
AutoReqProv: no
${RED_HAT_NEEDS.map((name) => `Requires: ${name}`).join('\n')}
%define _build_id_links none
%define __os_install_post %{nil}
%define debug_package %{nil}
%define _buildhost runsheet
%define use_source_date_epoch_as_buildtime 1
%define clamp_mtime_to_source_date_epoch 1

%description
${HOME_PAGE_NOTE}

%install
cp -a %{laid}/. %{buildroot}/

%files
%defattr(-,root,root,-)
${INSTALL_PATH}
/usr/bin/runsheet
/usr/share/applications/runsheet.desktop
/usr/share/icons/hicolor/scalable/apps/runsheet.svg
`;

function lay({ folder, icon }: LinuxProgram, root: string): void {
  const target = join(root, INSTALL_PATH);
  for (const made of ['opt', 'usr/bin', 'usr/share/applications', 'usr/share/icons/hicolor/scalable/apps']) {
    mkdirSync(join(root, made), { recursive: true, mode: 0o755 });
  }
  cpSync(folder, target, { recursive: true, verbatimSymlinks: true });
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', target]);
  // Chromium's own sandbox, for systems on which ordinary users may not create namespaces.
  chmodSync(join(target, 'chrome-sandbox'), 0o4755);
  symlinkSync(join(INSTALL_PATH, 'runsheet'), join(root, 'usr/bin/runsheet'));
  writeFileSync(join(root, 'usr/share/applications/runsheet.desktop'), ENTRY, { mode: 0o644 });
  cpSync(icon, join(root, 'usr/share/icons/hicolor/scalable/apps/runsheet.svg'));
}

function within<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'runsheet-package-'));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
