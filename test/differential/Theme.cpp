// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/differential/Theme.h"

#include "test/differential/AttentionGenerator.h"
#include "test/differential/CarryGenerator.h"
#include "test/differential/EdgeGenerator.h"
#include "test/differential/EndGenerator.h"
#include "test/differential/EpilogueGenerator.h"
#include "test/differential/Generator.h"
#include "test/differential/GridGenerator.h"
#include "test/differential/LayerGenerator.h"
#include "test/differential/MatmulGenerator.h"
#include "test/differential/NormGenerator.h"
#include "test/differential/PanelGenerator.h"
#include "test/differential/RankGenerator.h"
#include "test/differential/RowGenerator.h"
#include "test/differential/ScratchGenerator.h"
#include "test/differential/TileGenerator.h"
#include "test/differential/WindowGenerator.h"

using namespace tegula;
using namespace tegula::differential;

Program differential::makeProgram(Theme theme, uint64_t number) {
  switch (theme) {
  case Theme::Expressions:
    return Generator(number).generate();
  case Theme::Carries:
    return CarryGenerator(number).generate();
  case Theme::Grids:
    return GridGenerator(number, Blocks::Alone).generate();
  case Theme::Barriers:
    return GridGenerator(number, Blocks::Synced).generate();
  case Theme::Windows:
    return WindowGenerator(number).generate();
  case Theme::Rows:
    return RowGenerator(number).generate();
  case Theme::Scratch:
    return ScratchGenerator(number).generate();
  case Theme::Matmuls:
    return MatmulGenerator(number).generate();
  case Theme::Norms:
    return NormGenerator(number).generate();
  case Theme::Ends:
    return EndGenerator(number).generate();
  case Theme::Panels:
    return PanelGenerator(number).generate();
  case Theme::Epilogues:
    return EpilogueGenerator(number).generate();
  case Theme::Layers:
    return LayerGenerator(number).generate();
  case Theme::Attention:
    return AttentionGenerator(number).generate();
  case Theme::Edges:
    return EdgeGenerator(number).generate();
  case Theme::Tiles:
    return TileGenerator(number).generate();
  case Theme::Ranks:
    return RankGenerator(number).generate();
  }
  return {};
}
