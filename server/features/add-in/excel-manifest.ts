/**
 * The manifest of the Excel add-in: tells Excel the URL of the task pane and the label of its button. Source:
 * learn.microsoft.com, "Office Add-ins with an add-in only manifest", schema 1.1 with version overrides 1.0.
 */
import { createHash } from 'node:crypto';

/** Must be raised whenever the manifest changes: Excel applies a changed manifest only if its version is higher. */
const MANIFEST_VERSION = '1.0.0.0';
/** Maximum lengths in the manifest's schema and in Excel's ribbon. Longer names are truncated. */
const MAX_LENGTHS = { title: 30, provider: 125 };

const NO_ADDRESS = 'The address of the portal is not in its settings (publicUrl), so Excel cannot find the portal';
const NO_HTTPS =
  'The portal has no https address in its settings (publicUrl), and Excel accepts add-ins only from https';

/** The button on the Home tab that shows the pane. Its resource ids refer to the resources section. */
const RIBBON = `    <Hosts>
      <Host xsi:type="Workbook">
        <DesktopFormFactor>
          <ExtensionPoint xsi:type="PrimaryCommandSurface">
            <OfficeTab id="TabHome">
              <Group id="Runsheet.Group">
                <Label resid="Group.Label" />
                <Icon>
                  <bt:Image size="16" resid="Icon.16" />
                  <bt:Image size="32" resid="Icon.32" />
                  <bt:Image size="80" resid="Icon.80" />
                </Icon>
                <Control xsi:type="Button" id="Runsheet.Button">
                  <Label resid="Group.Label" />
                  <Supertip>
                    <Title resid="Group.Label" />
                    <Description resid="Button.Tip" />
                  </Supertip>
                  <Icon>
                    <bt:Image size="16" resid="Icon.16" />
                    <bt:Image size="32" resid="Icon.32" />
                    <bt:Image size="80" resid="Icon.80" />
                  </Icon>
                  <Action xsi:type="ShowTaskpane">
                    <TaskpaneId>Runsheet.Pane</TaskpaneId>
                    <SourceLocation resid="Pane.Url" />
                  </Action>
                </Control>
              </Group>
            </OfficeTab>
          </ExtensionPoint>
        </DesktopFormFactor>
      </Host>
    </Hosts>
`;

/** Returns why this installation offers no add-in; '' if it offers one. */
export function whyNoExcelAddIn(address: string | null): string {
  if (address === null) return NO_ADDRESS;
  return address.startsWith('https:') ? '' : NO_HTTPS;
}

/** @param address URL of the portal, ending with '/' @param title name of the installation */
export function excelManifestXml(address: string, title: string): string {
  const at = (path: string): string => escapeXml(new URL(path, address).href);
  const name = escapeXml(title.slice(0, MAX_LENGTHS.title));
  return `<?xml version="1.0" encoding="UTF-8"?>
<OfficeApp xmlns="http://schemas.microsoft.com/office/appforoffice/1.1"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xmlns:bt="http://schemas.microsoft.com/office/officeappbasictypes/1.0"
  xmlns:ov="http://schemas.microsoft.com/office/taskpaneappversionoverrides"
  xsi:type="TaskPaneApp">
  <Id>${idOf(address)}</Id>
  <Version>${MANIFEST_VERSION}</Version>
  <ProviderName>${escapeXml(title.slice(0, MAX_LENGTHS.provider))}</ProviderName>
  <DefaultLocale>en-US</DefaultLocale>
  <DisplayName DefaultValue="${name}" />
  <Description DefaultValue="Publish the open workbook as an activity, run activities and insert their results in a sheet.">
    <Override Locale="de-DE" Value="Die geöffnete Arbeitsmappe als Aktivität veröffentlichen, Aktivitäten ausführen und ihre Ergebnisse in ein Blatt einfügen." />
  </Description>
  <IconUrl DefaultValue="${at('excel/icon-32.png')}" />
  <HighResolutionIconUrl DefaultValue="${at('excel/icon-64.png')}" />
  <SupportUrl DefaultValue="${at('excelAddIn')}" />
  <AppDomains>
    <AppDomain>${escapeXml(new URL(address).origin)}</AppDomain>
  </AppDomains>
  <Hosts>
    <Host Name="Workbook" />
  </Hosts>
  <Requirements>
    <Sets DefaultMinVersion="1.1">
      <Set Name="ExcelApi" />
    </Sets>
  </Requirements>
  <DefaultSettings>
    <SourceLocation DefaultValue="${at('excel/')}" />
  </DefaultSettings>
  <Permissions>ReadWriteDocument</Permissions>
  <VersionOverrides xmlns="http://schemas.microsoft.com/office/taskpaneappversionoverrides" xsi:type="VersionOverridesV1_0">
${RIBBON}${resources(name, at)}  </VersionOverrides>
</OfficeApp>
`;
}

function resources(name: string, at: (path: string) => string): string {
  return `    <Resources>
      <bt:Images>
        <bt:Image id="Icon.16" DefaultValue="${at('excel/icon-16.png')}" />
        <bt:Image id="Icon.32" DefaultValue="${at('excel/icon-32.png')}" />
        <bt:Image id="Icon.80" DefaultValue="${at('excel/icon-80.png')}" />
      </bt:Images>
      <bt:Urls>
        <bt:Url id="Pane.Url" DefaultValue="${at('excel/')}" />
      </bt:Urls>
      <bt:ShortStrings>
        <bt:String id="Group.Label" DefaultValue="${name}" />
      </bt:ShortStrings>
      <bt:LongStrings>
        <bt:String id="Button.Tip" DefaultValue="Publish this workbook, run activities and insert their results in a sheet">
          <bt:Override Locale="de-DE" Value="Diese Arbeitsmappe veröffentlichen, Aktivitäten ausführen und ihre Ergebnisse in ein Blatt einfügen" />
        </bt:String>
      </bt:LongStrings>
    </Resources>
`;
}

/**
 * Derives a stable id from the address, so that Excel recognizes a new manifest as an update of the installed add-in.
 * The id is a UUID of version 8.
 */
function idOf(address: string): string {
  const hex = createHash('sha256').update(`runsheet excel add-in ${address}`).digest('hex');
  const variant = ((parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
