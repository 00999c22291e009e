; makensis cutaway.nsi makes the installer of the files beside this one.
Target amd64-unicode
Name "Cutaway"
OutFile "Cutaway-@VERSION@-setup.exe"
RequestExecutionLevel user
InstallDir "$LOCALAPPDATA\Programs\Cutaway"
InstallDirRegKey HKCU "Software\Cutaway" "Folder"
SetCompressor /SOLID lzma
ManifestDPIAware true
BrandingText "Cutaway @VERSION@"

!include MUI2.nsh
!define MUI_ICON "cutaway.ico"
!define MUI_UNICON "cutaway.ico"
!define MUI_FINISHPAGE_RUN "$INSTDIR\cutaway.exe"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

VIProductVersion "@VERSION@.0"
VIAddVersionKey "ProductName" "Cutaway"
VIAddVersionKey "ProductVersion" "@VERSION@"
VIAddVersionKey "FileVersion" "@VERSION@"
VIAddVersionKey "FileDescription" "Installs Cutaway"
VIAddVersionKey "LegalCopyright" "The Cutaway authors, Apache License 2.0"

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\@ID@"
!define APPPATH "Software\Microsoft\Windows\CurrentVersion\App Paths\cutaway.exe"

; What opened the files before is noted, and put back by Dissociate unless somebody else has them by then.
!macro Associate EXTENSION TYPE
  ReadRegStr $0 HKCU `Software\Classes\${EXTENSION}` ``
  ${If} $0 != `${TYPE}`
  ${AndIf} $0 != ``
    WriteRegStr HKCU `Software\Classes\${EXTENSION}` `Cutaway.before` $0
  ${EndIf}
  WriteRegStr HKCU `Software\Classes\${EXTENSION}` `` `${TYPE}`
!macroend

!macro Dissociate EXTENSION TYPE
  ReadRegStr $0 HKCU `Software\Classes\${EXTENSION}` ``
  ReadRegStr $1 HKCU `Software\Classes\${EXTENSION}` `Cutaway.before`
  ${If} $0 == `${TYPE}`
    ${If} $1 == ``
      DeleteRegValue HKCU `Software\Classes\${EXTENSION}` ``
    ${Else}
      WriteRegStr HKCU `Software\Classes\${EXTENSION}` `` $1
    ${EndIf}
  ${EndIf}
  DeleteRegValue HKCU `Software\Classes\${EXTENSION}` `Cutaway.before`
  DeleteRegKey /ifempty HKCU `Software\Classes\${EXTENSION}`
!macroend

; A program that runs cannot be written, but renamed: it goes on, and the next installer removes it.
!macro MakeWay FILE
  Delete "$INSTDIR\${FILE}.old"
  ClearErrors
  Delete "$INSTDIR\${FILE}"
  ${If} ${Errors}
    Rename "$INSTDIR\${FILE}" "$INSTDIR\${FILE}.old"
  ${EndIf}
!macroend

Section
  SetOutPath "$INSTDIR"
  !insertmacro MakeWay "cutaway.exe"
  !insertmacro MakeWay "cutaway.com"
  File "cutaway.exe"
  File "cutaway.com"
  File "LICENSE.txt"
  File "THIRD-PARTY-LICENSES.txt"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\Cutaway.lnk" "$INSTDIR\cutaway.exe"
  WriteRegStr HKCU "Software\Cutaway" "Folder" "$INSTDIR"
  WriteRegStr HKCU "${APPPATH}" "" "$INSTDIR\cutaway.exe"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Cutaway"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "@VERSION@"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\cutaway.exe,0"
  WriteRegStr HKCU "${UNINSTALL}" "Publisher" "The Cutaway authors"
  WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" `"$INSTDIR\uninstall.exe"`
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" `"$INSTDIR\uninstall.exe" /S`
  WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" @KILOBYTES@
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
@ASSOCIATE@
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
SectionEnd

Section "Uninstall"
@DISSOCIATE@
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
  DeleteRegKey HKCU "${UNINSTALL}"
  DeleteRegKey HKCU "${APPPATH}"
  Delete "$SMPROGRAMS\Cutaway.lnk"
  Delete /REBOOTOK "$INSTDIR\cutaway.exe"
  Delete /REBOOTOK "$INSTDIR\cutaway.exe.old"
  Delete /REBOOTOK "$INSTDIR\cutaway.com"
  Delete /REBOOTOK "$INSTDIR\cutaway.com.old"
  Delete "$INSTDIR\LICENSE.txt"
  Delete "$INSTDIR\THIRD-PARTY-LICENSES.txt"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
SectionEnd
