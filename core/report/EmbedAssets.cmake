# cmake -DFOLDER=assets -DOUT=HtmlAssets.cpp -P EmbedAssets.cmake: the page's
# files as string literals.
function(literal name file)
  file(READ "${FOLDER}/${file}" text)
  set(text "constexpr std::string_view ${name} = R\"asset(${text})asset\";\n")
  set(parts "${parts}${text}" PARENT_SCOPE)
endfunction()

set(parts "")
literal(styleText style.css)
literal(bodyText body.html)
set(names "")
foreach(script IN ITEMS model list drawing source events ownership tensors aliases
        stages findings memory run main)
  literal(${script}Script ${script}.js)
  string(APPEND names "${script}Script, ")
endforeach()
file(WRITE "${OUT}" "#include \"core/report/HtmlAssets.h\"
namespace memreflens::report::assets {
namespace {
${parts}constexpr std::string_view all[] = {${names}};
} // namespace
const std::string_view style = styleText;
const std::string_view body = bodyText;
const std::span<const std::string_view> scripts = all;
} // namespace memreflens::report::assets
")
